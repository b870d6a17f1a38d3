/** Owns the scenes that the cases of the conformance suite play in, and what they assert most. */

import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { Action } from '../../core/action.ts'
import type { WriteClass } from '../../core/capabilities.ts'
import type { Fault } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import { actionKey } from '../../core/key.ts'
import type {
  CallOptions,
  CommitRequest,
  Description,
  Landed,
  Location,
  Observation,
  Platform,
  Preparation,
  WriteRequest,
} from '../../platform/platform.ts'
import type { PlatformHarness, PlatformSuite, SeenPost } from './harness.ts'
import { watched } from './watched.ts'

/** A write that is ready to be sent. */
export interface Write {
  readonly request: WriteRequest
  readonly commit: CommitRequest
}

export class World {
  readonly suite: PlatformSuite
  readonly harness: PlatformHarness
  readonly platform: Platform
  readonly description: Description
  /** Everything that came out of the connector. */
  readonly #said: unknown[] = []
  #texts = 0
  #keys = 0

  constructor(suite: PlatformSuite, harness: PlatformHarness) {
    this.suite = suite
    this.harness = harness
    this.platform = watched(harness.platform, this.#said)
    this.description = harness.platform.describe(harness.connection)
  }

  get options(): CallOptions {
    return { connection: this.harness.connection, signal: new AbortController().signal }
  }

  classOf(action: Action): WriteClass | null {
    const ability = this.description.actions[action]
    return ability.supported ? ability.writeClass : null
  }

  /** A text that was not used before, with more in it than letters. */
  text(what = 'What do you think'): string {
    this.#texts += 1
    return `${what}, no. ${this.#texts}? 🌱 “naïve”\n— and why`
  }

  publish(reach: 'everyone' | 'few' = 'everyone'): Promise<string> {
    return this.harness.publish(this.text('A post'), reach)
  }

  /** Until whatever was accepted can be read back, and counters show it. */
  async settle(): Promise<void> {
    const { visibleWithinMs, counterLagMs } = this.description
    await this.harness.pass(Math.max(visibleWithinMs, counterLagMs) + 1)
  }

  async look(remoteId: string): Promise<SeenPost> {
    const post = await this.harness.look(remoteId)
    assert.ok(post !== null, `The post ${remoteId} is gone`)
    return post
  }

  async observe(remoteId: string): Promise<Observation> {
    const [observation] = await this.platform.observe({ ...this.options, remoteIds: [remoteId] })
    assert.ok(observation !== undefined, 'The post was not in the answer')
    return observation
  }

  async live(remoteId: string): Promise<Observation & { readonly kind: 'live' }> {
    const observation = await this.observe(remoteId)
    assert.equal(observation.kind, 'live')
    return observation
  }

  /** A write as the engine would ask for it, with the post as the network shows it. */
  async request(
    action: Action,
    remoteId: string,
    part: Partial<Pick<WriteRequest, 'texts' | 'segment' | 'previous' | 'key'>> = {},
  ): Promise<WriteRequest> {
    const observation = await this.observe(remoteId)
    const isLive = observation.kind === 'live'
    this.#keys += 1
    return {
      key: actionKey(remoteId, action, 'tier_1', this.#keys),
      action,
      target: {
        remoteId,
        text: isLive ? observation.text : null,
        contentVersion: isLive ? observation.contentVersion : null,
      },
      texts: [this.text()],
      segment: 0,
      previous: [],
      preparedAt: this.harness.now(),
      ...part,
    }
  }

  prepare(request: WriteRequest): Promise<Preparation> {
    return this.platform.prepare({ ...this.options, request })
  }

  /** Prepares, and takes the token through JSON as the ledger does. */
  async ready(request: WriteRequest): Promise<Write> {
    const preparation = await this.prepare(request)
    assert.equal(preparation.kind, 'ready', inspect(preparation))
    const { token } = preparation
    const stored = JSON.parse(JSON.stringify(token)) as Json
    assert.deepEqual(stored, token, 'The token does not survive JSON')
    return { request, commit: { ...this.options, key: request.key, token: stored } }
  }

  /** The first write of an action on a post: all of it, where it is one call. */
  async write(action: Action, remoteId: string): Promise<Write> {
    const isWhole = action === 'thread' && this.description.threadIsAtomic
    const texts = isWhole ? [this.text(), this.text(), this.text()] : [this.text()]
    return this.ready(await this.request(action, remoteId, { texts }))
  }

  commit(write: Write, signal?: AbortSignal): Promise<Landed> {
    return this.platform.commit(signal === undefined ? write.commit : { ...write.commit, signal })
  }

  locate({ commit }: Write): Promise<Location> {
    return this.platform.locate(commit)
  }

  undo({ commit }: Write, landed: Landed): Promise<void> {
    return this.platform.undo({ ...this.options, token: commit.token, landed })
  }

  /** How often the first text of a write can be seen where it belongs. */
  async countVisible({ request }: Write): Promise<number> {
    const { remoteId } = request.target
    const [text] = request.texts
    if (request.action === 'edit') return (await this.look(remoteId)).text === text ? 1 : 0
    const parentId = request.previous.at(-1)?.remoteIds.at(-1) ?? remoteId
    const replies = await this.harness.repliesTo(parentId)
    return replies.filter((reply) => reply.text === text).length
  }

  /** What a failed write is taken for. Fails where it did not fail. */
  async faultOf(work: Promise<unknown>, call: 'read' | 'write'): Promise<Fault> {
    const error = await work.then(
      () => assert.fail('It was to fail and did not'),
      (reason: unknown) => reason,
    )
    return this.classify(error, call, this.harness.now())
  }

  classify(error: unknown, call: 'read' | 'write', now: Instant): Fault {
    return this.platform.classify(error, call, now)
  }

  /** Nothing that the connector gave, threw or classified holds the secret (a canary). */
  requireNoSecret(): void {
    const { canary } = this.harness
    if (canary === null) return
    for (const value of this.#said) requireWithout(canary, value)
  }
}

export function requireWithout(secret: string, value: unknown): void {
  const everything = { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null }
  const text = inspect(value, everything) + String(value) + (JSON.stringify(value) ?? '')
  // The message must not hold the secret either.
  assert.ok(!text.includes(secret), 'Credentials appear in something that can be logged')
}
