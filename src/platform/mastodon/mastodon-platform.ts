/**
 * The connector to servers that speak Mastodon's API. It joins the port to the parts that do the
 * work, and holds no state: every call opens the credentials anew.
 */

import type { Fault } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { ConnectorTools } from '../connector.ts'
import { beforeSending, classifyError, CredentialsError } from '../oauth/api-error.ts'
import { Session } from '../oauth/session.ts'
import type { SessionRules } from '../oauth/session.ts'
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
import { Api } from './api.ts'
import { refine } from './classify.ts'
import type { Credentials } from './credentials.ts'
import { describeServer, platformName } from './description.ts'
import { locateEdit, locateReply } from './locating.ts'
import { checkRequest, prepareEdit, prepareReply } from './preparing.ts'
import { probeServer } from './probe.ts'
import { parseProfile } from './profile.ts'
import type { Profile } from './profile.ts'
import { discoverPosts, observePosts } from './reading.ts'
import { sessionRules } from './session-rules.ts'
import { parseToken } from './token.ts'
import { sendEdit, sendReply, undoEdit, undoReply } from './writing.ts'

interface Opened {
  readonly api: Api
  readonly profile: Profile
}

export class MastodonPlatform implements Platform {
  readonly name = platformName
  readonly #tools: ConnectorTools
  readonly #rules: SessionRules<Credentials>

  constructor(tools: ConnectorTools) {
    this.#tools = tools
    this.#rules = sessionRules(tools)
  }

  describe({ profile }: Connection): Description {
    return describeServer(parseProfile(profile))
  }

  async probe(options: CallOptions): Promise<Probed> {
    const api = new Api(await Session.open(this.#rules, options))
    return probeServer((path) => api.get(path), parseProfile(options.connection.profile))
  }

  async discover(
    options: CallOptions & { readonly since: Instant },
  ): Promise<readonly RemotePost[]> {
    const { api, profile } = await this.#open(options)
    return discoverPosts(api, profile, options.since)
  }

  async observe(
    options: CallOptions & { readonly remoteIds: readonly string[] },
  ): Promise<readonly Observation[]> {
    const { api, profile } = await this.#open(options)
    return observePosts(api, profile, options.remoteIds, this.#tools.clock.now())
  }

  async prepare(options: CallOptions & { readonly request: WriteRequest }): Promise<Preparation> {
    const { request, connection } = options
    const description = this.describe(connection)
    const problem = checkRequest(description, request)
    if (problem !== null) return problem
    const { api } = await this.#open(options)
    return request.action === 'edit'
      ? prepareEdit(api, description, request)
      : prepareReply(api, description, request)
  }

  async commit(request: CommitRequest): Promise<Landed> {
    const { clock, random } = this.#tools
    const token = parseToken(request.token)
    const { api, profile } = await beforeSending(() => this.#open(request))
    return token.kind === 'edit'
      ? sendEdit(api, profile, token, clock.now())
      : sendReply(api, profile, token, random)
  }

  async locate(request: CommitRequest): Promise<Location> {
    const token = parseToken(request.token)
    const { api, profile } = await this.#open(request)
    return token.kind === 'edit'
      ? locateEdit(api, profile, token)
      : locateReply(api, profile, token)
  }

  async undo(
    options: CallOptions & { readonly token: Json; readonly landed: Landed },
  ): Promise<void> {
    const token = parseToken(options.token)
    const { api } = await beforeSending(() => this.#open(options))
    await (token.kind === 'edit'
      ? undoEdit(api, token, this.#tools.clock.now())
      : undoReply(api, options.landed))
  }

  classify(error: unknown, call: 'read' | 'write', now: Instant): Fault {
    return classifyError(error, call, now, refine)
  }

  async #open(options: CallOptions): Promise<Opened> {
    const profile = parseProfile(options.connection.profile)
    if (profile === null) throw new CredentialsError('the account was never probed; sign in again')
    return { api: new Api(await Session.open(this.#rules, options)), profile }
  }
}
