/**
 * Builds a small stage for tests of the engine: a simulated network with one account whose posts
 * are shown and get no reaction, a ledger in memory, a clock that stands still until it is moved,
 * and engines that can be made to die at any call.
 */

import { joinSegments } from '../../src/core/segments.ts'
import { minuteMs, secondMs } from '../../src/core/duration.ts'
import { policyId, Secret, standardPolicy, toAccountId, toActionId } from '../../src/core/index.ts'
import type { AccountId, Action, EventType, Policy, State } from '../../src/core/index.ts'
import type { Content, ContentRequest, ContentResult } from '../../src/content/index.ts'
import type { EngineOptions, EngineProblem, EngineSettings } from '../../src/engine/index.ts'
import { createLedger, MemoryStore } from '../../src/ledger/index.ts'
import type {
  AccountRow,
  ActionRow,
  AttemptRow,
  Decision,
  DecideResult,
  Ledger,
  PostRow,
  VerdictRow,
} from '../../src/ledger/index.ts'
import {
  noFaults,
  profiles,
  seededRandom,
  simulateNetwork,
} from '../../src/platform/simulated/index.ts'
import type {
  FaultPlan,
  NewPost,
  Profile,
  ProfileName,
  Simulation,
  VisibleEffect,
} from '../../src/platform/simulated/index.ts'
import { VirtualClock } from '../../src/testing/platform/virtual-clock.ts'
import { StagedEngine } from './staged-engine.ts'

export interface StageOptions {
  readonly profile?: ProfileName | Profile
  readonly mode?: AccountRow['mode']
  readonly holdoutShare?: number
  /** What the policy does about a stalled post, whatever the tier. */
  readonly action?: Action
  readonly policy?: Partial<Policy>
  readonly settings?: Partial<EngineSettings>
  readonly lateShare?: number
  readonly write?: (request: ContentRequest) => ContentResult
}

/** A network as it is offered, but with impressions, so that one post is enough to see a stall. */
export function shown(name: ProfileName): Profile {
  const profile = profiles[name]
  return { ...profile, description: { ...profile.description, hasImpressions: true } }
}

/** Stalls are seen at the first look, and answered with one action; all else as recommended. */
export function policyFor(action: Action, changes: Partial<Policy> = {}): Policy {
  return {
    ...standardPolicy,
    name: 'stage',
    looks: { ...standardPolicy.looks, required: 1 },
    ladder: { tier_1: [action], tier_2: [action], tier_3: [action] },
    ...changes,
  }
}

/** One action in a post's life, where a second one would disturb what a test looks at. */
export const once: Partial<Policy> = {
  guards: standardPolicy.guards.map((settings) =>
    settings.guard === 'lifetime_maximum' ? { guard: 'lifetime_maximum', maximum: 1 } : settings,
  ),
}

/** Shown very often, and nobody reacts. */
const rate = 1e-9
const forms = {
  engagementRate: { usual: rate, stalled: rate, late: rate },
  viralShare: 0,
  disputedShare: 0,
  purgedShare: 0,
}
const noEffect = { mean: 1, spread: 0 }

/** What is written where a test does not say it. */
export const threadTexts = ['The first part.', 'The second part.', 'The third part.'] as const

function writeFor({ action, post, generation }: ContentRequest): ContentResult {
  const texts: Readonly<Record<Action, string>> = {
    comment: `What do you think? (${generation})`,
    edit: `${post.text} Read on.`,
    thread: joinSegments(threadTexts),
  }
  return { kind: 'text', text: texts[action], source: 'test' }
}

export class Stage {
  readonly clock = new VirtualClock()
  readonly network: Simulation
  /** How far the ledger's clock is off; its time stands still rather than run backwards. */
  ledgerJumpMs = 0
  readonly store = new MemoryStore({ now: () => this.clock.now() + this.ledgerJumpMs })
  readonly ledger: Ledger = createLedger(this.store)
  readonly policy: Policy
  readonly problems: EngineProblem[] = []
  /** What the engines asked of ledger and network, in order. */
  readonly calls: string[] = []
  /** Answers every call to the network; without faults to begin with. */
  faults: FaultPlan = noFaults
  /** An error that a call to the ledger meets instead of being made, or null. */
  ledgerFault: (call: string) => Error | null = () => null
  /** How long the ledger takes to answer a call, after it has done what was asked. */
  ledgerDelayMs: (call: string) => number = () => 0
  /** Half of every delay, unless a test says otherwise. */
  jitter = 0.5
  /** How far the engines' wall clock is off; ledger and network keep the right time. */
  wallJumpMs = 0
  engines: StagedEngine[] = []
  readonly #options: StageOptions
  #ids = 0

  private constructor(options: StageOptions) {
    this.#options = options
    this.policy = policyFor(options.action ?? 'comment', options.policy)
    this.network = simulateNetwork({
      profile: options.profile ?? 'full',
      clock: this.clock,
      random: seededRandom('stage'),
      forms,
      effects: { comment: noEffect, edit: noEffect, thread: noEffect },
      lateShare: options.lateShare ?? 0,
      faults: (call) => this.faults(call),
    })
  }

  static async open(options: StageOptions = {}): Promise<Stage> {
    const stage = new Stage(options)
    await stage.ledger.savePolicy(stage.policy)
    await stage.addAccount('ann')
    stage.startEngine()
    return stage
  }

  get accountId(): AccountId {
    return toAccountId('ann')
  }

  async addAccount(handle: string, changes: Partial<AccountRow> = {}): Promise<AccountRow> {
    this.network.world.addAccount({ handle, credentials: 'secret', peakMs: 0 })
    const account: AccountRow = {
      id: toAccountId(handle),
      platform: this.network.platform.name,
      handle,
      mode: this.#options.mode ?? 'auto',
      timeZone: 'UTC',
      policy: policyId(this.policy),
      holdoutShare: this.#options.holdoutShare ?? 0,
      credentials: null,
      status: 'active',
      statusReason: null,
      createdAt: this.clock.now(),
      discoverAt: this.clock.now(),
      profile: null,
      ...changes,
    }
    await this.ledger.saveAccount(account)
    return account
  }

  async account(): Promise<AccountRow> {
    return required(await this.ledger.getAccount(this.accountId))
  }

  async changeAccount(changes: Partial<AccountRow>): Promise<void> {
    await this.ledger.saveAccount({ ...(await this.account()), ...changes })
  }

  /** One more process on the same ledger. */
  startEngine(settings: Partial<EngineSettings> = {}): StagedEngine {
    const engine = new StagedEngine(this.#engineOptions(settings), {
      note: (call) => this.calls.push(call),
      ledgerFault: (call) => this.ledgerFault(call),
      ledgerDelay: (call) => this.#delay(call),
    })
    this.engines.push(engine)
    return engine
  }

  #delay(call: string): Promise<void> | null {
    const delayMs = this.ledgerDelayMs(call)
    return delayMs === 0 ? null : this.clock.sleep(delayMs)
  }

  get engine(): StagedEngine {
    return required(this.engines.at(-1))
  }

  /** The process is gone; another one takes its place. */
  restart(): StagedEngine {
    this.engines = this.engines.filter((engine) => engine.isAlive)
    return this.startEngine()
  }

  nextId(): string {
    this.#ids += 1
    return `id-${this.#ids}`
  }

  get content(): Content {
    return { write: async (request) => (this.#options.write ?? writeFor)(request) }
  }

  publish(text = 'A post.', draft: Partial<NewPost> = {}, handle = 'ann'): string {
    return this.network.world.publish(handle, { text, kind: 'usual', total: 1e-3, ...draft })
  }

  /** One turn of every engine. Time passes only where an engine waits for the network. */
  async turn(): Promise<void> {
    for (const engine of this.engines) await this.settled(engine.tick(), engine)
  }

  /** Waits for a promise, and moves the clock where that alone can bring it about. */
  async settled<Result>(work: Promise<Result>, engine?: StagedEngine): Promise<void> {
    const progress = { isDone: false }
    const end = () => (progress.isDone = true)
    void work.then(end, end)
    await drained()
    const isOver = () => progress.isDone || engine?.isAlive === false
    while (!isOver()) {
      await this.clock.advance(secondMs)
      await drained()
    }
    if (progress.isDone) await work
  }

  /** Lets time go by, with a turn whenever something is due. */
  async pass(durationMs: number): Promise<void> {
    const end = this.clock.now() + durationMs
    await this.turn()
    while (this.clock.now() < end) {
      await this.#step(end)
      await this.turn()
    }
  }

  async #step(end: number): Promise<void> {
    const next = (await this.ledger.nextDueAt()) ?? end
    const stepMs = Math.max(secondMs, Math.min(next, end) - this.clock.now())
    await this.clock.advance(stepMs)
  }

  /** Lets time go by, second by second, for engines that run by themselves. */
  async wait(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += secondMs) {
      await this.clock.advance(secondMs)
      await drained()
    }
  }

  /** Turns until something is so, and gives it back. */
  async until<Found>(find: () => Promise<Found | null | undefined>): Promise<Found> {
    const latest = this.clock.now() + longestWaitMs
    for (;;) {
      const found = await find()
      if (found !== null && found !== undefined) return found
      if (this.clock.now() > latest) throw new Error('It did not come about')
      await this.turn()
      const again = await find()
      if (again !== null && again !== undefined) return again
      await this.#step(latest)
    }
  }

  /** Turns until there is an action, and gives it as it was planned. */
  planned(): Promise<ActionRow> {
    return this.until(async () => (await this.actions()).at(-1))
  }

  /** Turns until the newest action has come to one of these states. */
  reached(...states: readonly State[]): Promise<ActionRow> {
    return this.until(async () => {
      const row = (await this.actions()).at(-1)
      return row !== undefined && states.includes(row.state) ? row : null
    })
  }

  /** Publishes a post that stalls, and turns until the action on it has come to a state. */
  async act(...states: readonly State[]): Promise<ActionRow> {
    this.publish()
    return this.reached(...states)
  }

  async actions(): Promise<readonly ActionRow[]> {
    const rows = await this.ledger.listActions({}, { after: null, limit: 500 })
    return rows.toSorted((a, b) => a.plannedAt - b.plannedAt)
  }

  async action(id: string): Promise<ActionRow> {
    return required(await this.ledger.getAction(toActionId(id)))
  }

  async attempts(): Promise<readonly AttemptRow[]> {
    const lists = await Promise.all(
      (await this.actions()).map(({ id }) => this.ledger.listAttempts(id)),
    )
    return lists.flat()
  }

  async posts(): Promise<readonly PostRow[]> {
    return this.ledger.listPosts({}, { after: null, limit: 500 })
  }

  async post(remoteId?: string): Promise<PostRow> {
    const posts = await this.posts()
    return required(posts.find((post) => remoteId === undefined || post.remoteId === remoteId))
  }

  async verdicts(): Promise<readonly VerdictRow[]> {
    return this.ledger.listVerdicts((await this.post()).id, 1000)
  }

  async events(...types: readonly EventType[]): Promise<readonly unknown[]> {
    const { events } = await this.ledger.readEvents(null, { types }, 1000)
    return events.map(({ data }) => data)
  }

  decide(row: ActionRow, decision: Decision): Promise<DecideResult> {
    return this.ledger.decide({ actionId: row.id, by: 'ann', decision })
  }

  approve(row: ActionRow, text?: string): Promise<DecideResult> {
    const { textHash } = row
    const times = { graceMs: minuteMs, expiresAfterMs: 60 * minuteMs }
    return this.decide(row, {
      kind: 'approve',
      textHash,
      ...times,
      ...(text === undefined ? {} : { text }),
    })
  }

  /** What the engines made visible. */
  effects(): readonly VisibleEffect[] {
    return this.network.truth.effects().filter(({ by }) => by === 'connector')
  }

  texts(): readonly string[] {
    return this.effects().map(({ text }) => text)
  }

  /** How often the engines made one kind of call. */
  count(call: string): number {
    return this.calls.filter((made) => made === call).length
  }

  #engineOptions(settings: Partial<EngineSettings>): EngineOptions {
    const { clock } = this
    return {
      ledger: this.ledger,
      platforms: [this.network.platform],
      clock: {
        now: () => clock.now() + this.wallJumpMs,
        monotonicMs: () => clock.monotonicMs(),
        sleep: (durationMs, signal) => clock.sleep(durationMs, signal),
      },
      random: { fraction: () => this.jitter, id: () => this.nextId() },
      content: this.content,
      openCredentials: () => new Secret('secret'),
      settings: { ...this.#options.settings, ...settings },
      onProblem: (problem) => this.problems.push(problem),
    }
  }
}

const longestWaitMs = 5 * 24 * 60 * minuteMs

/** Until everything that can go on without time passing has done so. */
export function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('It is not there')
  return value
}
