/**
 * Learns from the ledger whether actions help: against posts that were held out at random, by the
 * arm that was drawn and not by what then happened, so that an action that failed counts as well.
 */

import { actions } from '../core/action.ts'
import type { Action } from '../core/action.ts'
import { dayMs, hourMs } from '../core/duration.ts'
import type { AccountId } from '../core/ids.ts'
import { InputError, shown } from '../core/input-error.ts'
import type { Instant } from '../core/instant.ts'
import { formatDuration } from '../core/wording.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { measurementHorizonsMs } from '../ledger/steps/plan.ts'
import { readEntries } from './learning/entries.ts'
import { countWithoutLift } from './learning/futility.ts'
import { groupLift, groupLiftBy } from './learning/groups.ts'
import type { Entry, GroupLift } from './learning/groups.ts'
import { hintOfExploring, hintsFrom } from './learning/hints.ts'
import type { ActionOnPlatform } from './learning/hints.ts'
import type { Parts } from './parts.ts'

export interface LearnOptions {
  /** How long after the draw: 24 h unless said otherwise; 2 h and 7 d are measured too. */
  readonly horizonMs?: number
  /** One account alone; all of them where it is left out. */
  readonly accountId?: AccountId
}

/** Whether actions help: all posts together, and by what they can be told apart by. */
export interface LiftReport {
  readonly horizonMs: number
  readonly pooled: GroupLift
  readonly byAction: readonly GroupLift[]
  /**
   * Where the words were chosen by what they did before, named as `comment/ask-again`. Like all
   * groups it is of the posts for which that was chosen, and of their like that were held out.
   */
  readonly byTemplate: readonly GroupLift[]
  readonly byTier: readonly GroupLift[]
  readonly byPlatform: readonly GroupLift[]
  /** Named by the accounts' ids. */
  readonly byAccount: readonly GroupLift[]
  readonly byActionOnPlatform: readonly ActionOnPlatform[]
  /** Posts for which the action or the words were chosen by what these did before. */
  readonly explored: number
  /** What it suggests, a sentence each. */
  readonly hints: readonly string[]
}

export async function learn(ledger: Ledger, options: LearnOptions = {}): Promise<LiftReport> {
  const { horizonMs = dayMs, accountId } = options
  if (!measurementHorizonsMs.includes(horizonMs)) {
    const known = measurementHorizonsMs.map(formatDuration).join(', ')
    throw new InputError('horizonMs', `${shown(horizonMs)} is not measured; take one of ${known}`)
  }
  const accounts = (await ledger.listAccounts()).filter(
    ({ id }) => accountId === undefined || id === accountId,
  )
  const holding = new Set<string>(
    accounts.filter(({ holdoutShare }) => holdoutShare > 0).map(({ id }) => id),
  )
  const entries = await readEntries(ledger, horizonMs, accountId)
  const by = (nameOf: (entry: Entry) => string, members = entries) =>
    groupLiftBy(members, nameOf, ({ account }) => holding.has(account))
  const explored = entries.filter((entry) => entry.explored !== null)
  const byActionOnPlatform = [...Map.groupBy(entries, ({ platform }) => platform)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([platform, members]) =>
      groupLiftBy(
        members,
        ({ action }) => action,
        ({ account }) => holding.has(account),
      ).map((group) => Object.assign(group, { action: group.name, platform })),
    )
  return {
    horizonMs,
    pooled: groupLift('all', entries, holding.size > 0),
    byAction: by(({ action }) => action),
    byTemplate: by(
      ({ action, explored: chosen }) => `${action}/${chosen?.template?.chosen ?? ''}`,
      explored.filter(({ explored: chosen }) => (chosen?.template ?? null) !== null),
    ),
    byTier: by(({ tier }) => tier),
    byPlatform: by(({ platform }) => platform),
    // Every account is told of, also one that has nothing to show yet.
    byAccount: accounts.map(({ id }) =>
      groupLift(
        id,
        entries.filter(({ account }) => account === id),
        holding.has(id),
      ),
    ),
    byActionOnPlatform,
    explored: explored.length,
    hints: [...hintsFrom(byActionOnPlatform), ...hintOfExploring(explored.length)],
  }
}

/**
 * Counts for each action of the account how many in a row showed no lift, for the guard that stops
 * what does not help. What is not measured has no such count.
 */
export async function updateFutility({ ledger }: Pick<Parts, 'ledger'>, id: AccountId) {
  const entries = await readEntries(ledger, dayMs, id)
  for (const action of actions) {
    await ledger.setWithoutLift(id, action, countFor(entries, action))
  }
}

function countFor(entries: readonly Entry[], action: Action): number {
  return countWithoutLift(
    entries.flatMap(({ post }) => (post === null || post.action !== action ? [] : [post])),
  )
}

/** Reading an account's whole past costs more than a measurement does. */
const updateEveryMs = hourMs

/** When each account was last brought up to date, by engine. Losing it only means one more time. */
const updatedAt = new WeakMap<Parts, Map<AccountId, Instant>>()

/** Called after a measurement; at most once an hour for each account it does something. */
export async function learnFromMeasurement(parts: Parts, id: AccountId): Promise<void> {
  const known = updatedAt.get(parts) ?? new Map<AccountId, Instant>()
  updatedAt.set(parts, known)
  const now = await parts.ledger.now()
  if (now - (known.get(id) ?? -Infinity) < updateEveryMs) return
  await updateFutility(parts, id)
  known.set(id, now)
}
