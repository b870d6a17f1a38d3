/**
 * The connector to X. It joins the port to the parts that do the work, and holds no state: every
 * call opens the credentials anew.
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
import type { Addresses } from './addresses.ts'
import { Api } from './api.ts'
import { refine } from './classify.ts'
import { sessionRules } from './credentials.ts'
import type { Credentials } from './credentials.ts'
import { describeX, platformName } from './description.ts'
import { locateEdit, locateReply } from './locating.ts'
import { checkRequest, prepareEdit, prepareReply } from './preparing.ts'
import { probeAccount } from './probe.ts'
import { parseProfile } from './profile.ts'
import type { Profile } from './profile.ts'
import { discoverPosts, observePosts } from './reading.ts'
import { parseToken } from './token.ts'
import { sendEdit, sendReply } from './writing.ts'

interface Opened {
  readonly api: Api
  readonly profile: Profile
}

export class XPlatform implements Platform {
  readonly name = platformName
  readonly #tools: ConnectorTools
  readonly #rules: SessionRules<Credentials>

  constructor(tools: ConnectorTools, addresses: Addresses) {
    this.#tools = tools
    this.#rules = sessionRules(tools, addresses)
  }

  describe({ profile }: Connection): Description {
    return describeX(parseProfile(profile))
  }

  async probe(options: CallOptions): Promise<Probed> {
    const api = new Api(await Session.open(this.#rules, options))
    const before = parseProfile(options.connection.profile)
    return probeAccount(api, before, this.#tools.clock.now())
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
    const problem = checkRequest(this.describe(connection), request)
    if (problem !== null) return problem
    const { api, profile } = await this.#open(options)
    return request.action === 'edit'
      ? prepareEdit(api, request, this.#tools.clock.now())
      : prepareReply(api, profile, request)
  }

  async commit(request: CommitRequest): Promise<Landed> {
    const token = parseToken(request.token)
    const { api, profile } = await beforeSending(() => this.#open(request))
    return token.kind === 'edit' ? sendEdit(api, profile, token) : sendReply(api, profile, token)
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
    // To delete a version of a post would delete the post.
    if (token.kind === 'edit') throw new Error('An edit on X cannot be taken back')
    const { api } = await beforeSending(() => this.#open(options))
    for (const id of options.landed.remoteIds.toReversed()) await api.remove(id)
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
