/** The connector to Bluesky, and to any server of its protocol: the port, on one session a call. */

import type { Fault } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { ConnectorTools } from '../connector.ts'
import type {
  CallOptions,
  CommitRequest,
  Connection,
  Description,
  Landed,
  Location,
  Observation,
  Platform,
  Preparation,
  Probed,
  RemotePost,
  WriteRequest,
} from '../platform.ts'
import { classify } from './classify.ts'
import { describeAccount, platformName } from './description.ts'
import { prepare } from './preparing.ts'
import { discover, observe, probe } from './reading.ts'
import { Session } from './session.ts'
import { sessionTools } from './session-tools.ts'
import type { SessionTools } from './session-tools.ts'
import { parseToken } from './token.ts'
import { commit, locate, undo } from './writing.ts'

export class BlueskyPlatform implements Platform {
  readonly name = platformName
  readonly #tools: SessionTools

  constructor(tools: ConnectorTools) {
    this.#tools = sessionTools(tools)
  }

  describe({ profile }: Connection): Description {
    return describeAccount(profile)
  }

  async probe(options: CallOptions): Promise<Probed> {
    return probe(this.#open(options))
  }

  async discover(
    options: CallOptions & { readonly since: Instant },
  ): Promise<readonly RemotePost[]> {
    return discover(this.#open(options), options.since)
  }

  async observe(
    options: CallOptions & { readonly remoteIds: readonly string[] },
  ): Promise<readonly Observation[]> {
    return observe(this.#open(options), options.remoteIds)
  }

  async prepare(options: CallOptions & { readonly request: WriteRequest }): Promise<Preparation> {
    const description = this.describe(options.connection)
    return prepare(this.#open(options), description, options.request)
  }

  async commit(request: CommitRequest): Promise<Landed> {
    return commit(this.#open(request), parseToken(request.token))
  }

  async locate(request: CommitRequest): Promise<Location> {
    return locate(this.#open(request), parseToken(request.token))
  }

  async undo(
    options: CallOptions & { readonly token: Json; readonly landed: Landed },
  ): Promise<void> {
    return undo(this.#open(options), parseToken(options.token))
  }

  classify(error: unknown, call: 'read' | 'write', now: Instant): Fault {
    return classify(error, call, now)
  }

  #open(options: CallOptions): Session {
    return new Session(this.#tools, options)
  }
}
