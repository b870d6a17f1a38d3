/** Owns a small stage for tests of the connector: a fake server, a proxy, one account. */

import type { Action } from '../../../src/core/action.ts'
import type { Fault } from '../../../src/core/fault.ts'
import { toAccountId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import { actionKey } from '../../../src/core/key.ts'
import { Secret } from '../../../src/core/secret.ts'
import { bluesky } from '../../../src/platform/bluesky/index.ts'
import type {
  CallOptions,
  CommitRequest,
  Connection,
  Observation,
  Platform,
  Preparation,
  WriteRequest,
} from '../../../src/platform/platform.ts'
import { VirtualClock } from '../../../src/testing/index.ts'
import { FaultProxy } from '../../live/fault-proxy.ts'
import { anna, FakePds, post } from './fake-pds.ts'
import { textOf } from './fake-repo.ts'
import type { FakeRecord } from './fake-repo.ts'
import { Owner } from './owner.ts'
import { directCall, toolsFor } from './suite.ts'

export const canary = 'canary-4b7e-in-the-tokens'

export class Scene implements AsyncDisposable {
  readonly pds: FakePds
  readonly proxy: FaultProxy
  readonly clock = new VirtualClock()
  readonly owner: Owner
  readonly platform: Platform
  connection: Connection
  #keys = 0

  private constructor(pds: FakePds, proxy: FaultProxy, edits: boolean) {
    this.pds = pds
    this.proxy = proxy
    this.owner = new Owner(anna.did, directCall(pds), () => this.clock.now())
    this.platform = bluesky.create(toolsFor(this.clock, [new URL(proxy.url).host]))
    const profile = { did: anna.did, pds: proxy.url, edits }
    const session = { kind: 'app_password', ...profile, ...pds.openSession(canary) }
    const credentials = new Secret(JSON.stringify(session))
    const accountId = toAccountId('account-1')
    this.connection = { accountId, handle: anna.handle, credentials, profile, renew: null }
  }

  static async start({ edits = false } = {}): Promise<Scene> {
    const pds = await FakePds.start()
    return new Scene(pds, await FaultProxy.start({ target: pds.url }), edits)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy[Symbol.asyncDispose]()
    await this.pds[Symbol.asyncDispose]()
  }

  get options(): CallOptions {
    return { connection: this.connection, signal: new AbortController().signal }
  }

  async observe(...remoteIds: readonly string[]): Promise<readonly Observation[]> {
    return this.platform.observe({ ...this.options, remoteIds })
  }

  request(action: Action, remoteId: string, ...texts: readonly string[]): WriteRequest {
    this.#keys += 1
    const standing = this.pds.repo.find(remoteId)
    const text = standing === null ? null : textOf(standing)
    const contentVersion = standing?.cid ?? null
    return {
      key: actionKey(remoteId, action, 'tier_1', this.#keys),
      action,
      target: { remoteId, text, contentVersion },
      texts: texts.length === 0 ? ['What do you think?'] : texts,
      segment: 0,
      previous: [],
      preparedAt: this.clock.now(),
    }
  }

  prepare(request: WriteRequest): Promise<Preparation> {
    return this.platform.prepare({ ...this.options, request })
  }

  async ready(
    action: Action,
    remoteId: string,
    ...texts: readonly string[]
  ): Promise<CommitRequest> {
    const request = this.request(action, remoteId, ...texts)
    const preparation = await this.prepare(request)
    if (preparation.kind !== 'ready') throw new Error(JSON.stringify(preparation))
    return { ...this.options, key: request.key, token: preparation.token }
  }

  /** Sends, and gives the records that came of it. */
  async send(
    action: Action,
    remoteId: string,
    ...texts: readonly string[]
  ): Promise<readonly FakeRecord[]> {
    const landed = await this.platform.commit(await this.ready(action, remoteId, ...texts))
    return landed.remoteIds.map((uri) => {
      const record = this.pds.repo.find(uri)
      if (record === null) throw new Error(`${uri} is not there`)
      return record
    })
  }

  /** What a call that fails is taken for. */
  async faultOf(work: Promise<unknown>, call: 'read' | 'write'): Promise<Fault> {
    return this.platform.classify(await this.errorOf(work), call, this.clock.now())
  }

  async errorOf(work: Promise<unknown>): Promise<unknown> {
    return work.then(
      () => {
        throw new Error('It was to fail and did not')
      },
      (error: unknown) => error,
    )
  }

  /** Every reply of the account to a post, as the server has it. */
  repliesTo(uri: string): readonly FakeRecord[] {
    return this.pds.repo.all(post).filter(({ value }) => {
      const reply = value['reply'] as { readonly parent: { readonly uri: string } } | undefined
      return reply?.parent.uri === uri
    })
  }

  /** Changes what is inside the credentials. */
  withCredentials(part: Readonly<Record<string, Json>>): void {
    const { credentials } = this.connection
    const now = JSON.parse(credentials?.reveal() ?? '{}') as object
    const changed = new Secret(JSON.stringify({ ...now, ...part }))
    this.connection = { ...this.connection, credentials: changed }
  }
}
