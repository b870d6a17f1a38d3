/** Owns what an engine is made of: everything it uses is handed in, and nothing is reached for. */

import type { Clock } from '../core/clock.ts'
import { hourMs, minuteMs, secondMs } from '../core/duration.ts'
import type { AccountId } from '../core/ids.ts'
import { InputError } from '../core/input-error.ts'
import type { Policy } from '../core/policy.ts'
import type { Random } from '../core/random.ts'
import type { AccountBaseline } from '../core/signal.ts'
import type { Secret } from '../core/secret.ts'
import type { Content } from '../content/content.ts'
import { LedgerError } from '../ledger/ledger-error.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { AccountRow } from '../ledger/rows.ts'
import type { Connection, Platform } from '../platform/platform.ts'
import { Baselines } from './baselines.ts'
import { SendTimes } from './send-times.ts'
import { Limits } from './limits.ts'
import { Renewal } from './renewal.ts'

/** How the engine goes about its work. Policies say what it does; these say how fast. */
export interface EngineSettings {
  /** How long a claim lasts without being renewed. */
  readonly leaseMs: number
  /** A send is given up after this; it must be well below the lease. */
  readonly sendDeadlineMs: number
  readonly readDeadlineMs: number
  /** When to ask again about an action that waits for an event. */
  readonly askAgainMs: number
  /** How long a plan may wait, an approval included. */
  readonly planExpiresMs: number
  /** How long before that people are told. */
  readonly noticeBeforeMs: number
  /** How long after an unknown the platform is first read. */
  readonly settleDelayMs: number
  /** Not found after this long is never proof: someone may have deleted it. */
  readonly notFoundProvesMs: number
  readonly discoverEveryMs: number
  /** How far back the timeline is read for posts. */
  readonly discoverMs: number
  /** How long an account rests after the network said it goes too fast, if it did not say. */
  readonly rateRestMs: number
  /** For how long what past posts were like is not read again. */
  readonly baselineKeepMs: number
  /** How many rows of one kind a turn takes on. */
  readonly batch: number
  readonly accountsAtOnce: number
  /** How many posts of one account are decided on at once: their ledger work goes together. */
  readonly looksAtOnce: number
  /** When a post that could not be read is tried again. */
  readonly unreadAgainMs: number
  /** The shortest and the longest the loop sleeps between two turns. */
  readonly breathMs: number
  readonly idleMs: number
  /** A jump of the clock by more than this pauses sending. */
  readonly clockJumpMs: number
}

export const defaultSettings: EngineSettings = {
  leaseMs: 2 * minuteMs,
  sendDeadlineMs: 30 * secondMs,
  readDeadlineMs: 20 * secondMs,
  askAgainMs: minuteMs,
  planExpiresMs: 12 * hourMs,
  noticeBeforeMs: hourMs,
  settleDelayMs: 30 * secondMs,
  notFoundProvesMs: hourMs,
  discoverEveryMs: 15 * minuteMs,
  discoverMs: 72 * hourMs,
  rateRestMs: 15 * minuteMs,
  baselineKeepMs: 6 * hourMs,
  batch: 100,
  accountsAtOnce: 8,
  looksAtOnce: 32,
  unreadAgainMs: 5 * minuteMs,
  breathMs: secondMs,
  idleMs: 30 * secondMs,
  clockJumpMs: 5 * minuteMs,
}

export interface EngineOptions {
  readonly ledger: Ledger
  readonly platforms: readonly Platform[]
  readonly clock: Clock
  readonly random: Random
  readonly content: Content
  /** Opens an account's sealed credentials for one call. */
  readonly openCredentials?: (account: AccountRow) => Secret | null
  /** Seals credentials that were renewed. Without it none can be. */
  readonly sealCredentials?: (accountId: AccountId, credentials: Secret) => string
  readonly settings?: Partial<EngineSettings>
  /** Told of what went wrong in one piece of work; the engine goes on with the rest. */
  readonly onProblem?: (problem: EngineProblem) => void
  /** Told each time the loop comes round, so that others can see that it is not stuck. */
  readonly onTurn?: () => void
}

export interface EngineProblem {
  readonly work: string
  readonly id: string
  readonly error: unknown
}

/** What every handler is given. */
export interface Parts {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly random: Random
  readonly content: Content
  readonly settings: EngineSettings
  readonly sendTimes: SendTimes
  readonly limits: Limits
  platformOf(account: AccountRow): Platform
  connect(account: AccountRow): Connection
  policyOf(account: AccountRow): Promise<Policy>
  /** Made once for a ledger and never changed, so that arms cannot be guessed or drawn anew. */
  holdoutSalt(): Promise<string>
  /** What the account's past posts were like; null where its policy does not compare with them. */
  baselineOf(account: AccountRow): Promise<AccountBaseline | null>
}

export function assemble(options: EngineOptions): Parts {
  const platforms = new Map(options.platforms.map((platform) => [platform.name, platform]))
  const policies = new Map<string, Policy>()
  const { ledger, clock, random, content } = options
  const settings = { ...defaultSettings, ...options.settings }
  if (settings.sendDeadlineMs >= settings.leaseMs) {
    throw new InputError('settings.sendDeadlineMs', 'must be below leaseMs, or nothing can be sent')
  }
  const { openCredentials: open = () => null, sealCredentials: seal } = options
  const renewal = seal === undefined ? null : new Renewal({ ledger, clock, random, open, seal })
  const limits = new Limits(clock, ledger)
  let salt: Promise<string> | null = null
  const baselines = new Baselines(ledger, clock, settings.baselineKeepMs)
  const policyOf = async ({ policy: id }: AccountRow): Promise<Policy> => {
    // A policy version never changes, so it is read once.
    const known = policies.get(id)
    if (known !== undefined) return known
    const policy = await ledger.getPolicy(id)
    if (policy === null) throw new LedgerError('damaged', `Policy ${id} is missing`)
    policies.set(id, policy)
    return policy
  }
  /** Those who ask at once ask together; one that fails is asked again. */
  const settleSalt = () =>
    ledger.settleSetting('holdout_salt', random.id()).catch((error: unknown) => {
      salt = null
      throw error
    })
  return {
    ledger,
    clock,
    random,
    content,
    settings,
    sendTimes: new SendTimes(clock),
    limits,
    policyOf,
    holdoutSalt: () => (salt ??= settleSalt()),
    baselineOf: async (account) => {
      const { detector } = await policyOf(account)
      return detector.detector === 'rate' ? null : baselines.of(account)
    },
    platformOf: ({ platform: name }) => {
      const platform = platforms.get(name)
      if (platform === undefined) throw new Error(`No connector for ${name} was handed in`)
      return platform
    },
    connect: (account) => ({
      accountId: account.id,
      handle: account.handle,
      credentials: open(account),
      profile: account.profile,
      renew: renewal?.renewFor(account) ?? null,
      note: (limit) => limits.note(account.id, limit),
    }),
  }
}
