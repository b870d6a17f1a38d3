/**
 * Owns the judgement after the chaos. What the simulator's checks can see in a finished ledger is
 * left to them, and what was acknowledged to workers to the torture's; here is the rest: what
 * people were told, what the networks were really sent, and how much work all of it was.
 */

import { hash } from 'node:crypto'
import { hourMs, minuteMs } from '../../src/core/duration.ts'
import type { ActionKey } from '../../src/core/ids.ts'
import type { AccountRow, ActionRow, AttemptRow } from '../../src/ledger/index.ts'
import type { Sending } from '../torture/network-file.ts'
import { mostWithin } from '../torture/race-audit.ts'
import { findLosses } from '../torture/torture-audit.ts'
import type { Facts } from './facts.ts'
import { replay } from './replay.ts'

/** What went wrong, in words, each after the promise that it breaks; nothing where all held. */
export function findViolations(facts: Facts): readonly string[] {
  const unknown = findUnknownWrites(facts)
  return [
    ...facts.problems.map((what) => `sound: ${what}`),
    ...facts.unrest.map((what) => `I5: ${what}`),
    ...unknown,
    // They take for granted that the ledger knows every key.
    ...(unknown.length > 0 ? [] : replay(facts)),
    ...findLosses(facts.book, facts.contents, sendingsOf(facts)).map((what) => `I4: ${what}`),
    ...findSentInPauses(facts),
    ...findUnapproved(facts),
    ...findLostDecisions(facts),
    ...findOverspent(facts),
    ...findUnwatched(facts),
    ...findBrokenChain(facts),
    ...findJobStorm(facts),
  ]
}

function findUnknownWrites({ contents, networks }: Facts): readonly string[] {
  const known = new Set<string>(contents.actions.map(({ key }) => key))
  return [...networks.values()].flatMap(({ name, faults }) =>
    faults.writes
      .filter(({ key }) => key === null || !known.has(key))
      .map(({ key }) => `I6: ${name} was sent ${key}, of which the ledger knows nothing`),
  )
}

/**
 * Which attempt each effect came from. Where a network recognises repeats, one effect stands for
 * all of them; elsewhere at most one attempt may be out, and each effect needs one of its own.
 */
function sendingsOf({ contents, networks }: Facts): readonly Sending[] {
  const byAction = Map.groupBy(contents.attempts, ({ actionId }) => actionId)
  return contents.actions.flatMap(({ id, key, platform }) => {
    const network = networks.get(platform)
    const effects = network?.truth.effectsOf(key) ?? []
    if (effects.length === 0) return []
    const mayBeOut = (byAction.get(id) ?? []).filter(({ result }) => result !== 'not_landed')
    const isOne = network?.profile.recognition.by !== 'nothing'
    if (isOne) return mayBeOut.map((each) => ({ ...sending(key, each), segment: each.number }))
    return effects.map((_, index) => sending(key, mayBeOut[index]))
  })
}

function sending(key: ActionKey, attempt: AttemptRow | undefined): Sending {
  return { key, segment: 0, attemptId: attempt?.id ?? 'that was never begun' }
}

/** Between the acknowledgement of a pause and its end no attempt begins, and none is made up. */
function findSentInPauses({ contents, networks, pauses }: Facts): readonly string[] {
  const found: string[] = []
  const byAction = Map.groupBy(contents.attempts, ({ actionId }) => actionId)
  for (const { id, key, accountId, platform } of contents.actions) {
    const starts = (byAction.get(id) ?? []).map(({ startedAt }) => startedAt)
    const sends = (networks.get(platform)?.faults.writes ?? []).filter((each) => each.key === key)
    // The n-th write needs n attempts before it. The truth counts whole milliseconds.
    const madeUp = sends.filter(
      ({ at }, index) => starts.filter((start) => start <= at + 1).length <= index,
    )
    for (const { from, to } of pauses.filter((pause) => pause.accountId === accountId)) {
      for (const at of starts.filter((start) => start > from && start < to)) {
        found.push(`I11: an attempt of ${id} began ${at - from} ms into a pause`)
      }
      for (const { at } of madeUp.filter((send) => send.at > from && send.at < to)) {
        found.push(`I11: ${id} was sent ${at - from} ms into a pause, without an attempt`)
      }
    }
  }
  return found
}

/** What was sent for an account that asks is the text that a person has approved before. */
function findUnapproved({ accounts, contents, networks, approved }: Facts): readonly string[] {
  const found: string[] = []
  const byAction = Map.groupBy(contents.attempts, ({ actionId }) => actionId)
  const asking = new Set(accounts.filter(({ mode }) => mode === 'approve').map(({ id }) => id))
  const asked = contents.actions.filter(({ accountId }) => asking.has(accountId))
  for (const { id, key, platform } of asked) {
    const approval = approved.get(id)
    const approvedAt = approval?.at ?? Infinity
    const early = byAction.get(id)?.find(({ startedAt }) => startedAt < approvedAt)
    if (early !== undefined) found.push(`I11: ${id} was sent and nobody had approved it`)
    for (const { text } of networks.get(platform)?.truth.effectsOf(key) ?? []) {
      if (text !== approval?.text) found.push(`I11: ${id} says “${text}”, which nobody approved`)
    }
  }
  return found
}

/** What the owner was told is decided is in the ledger. */
function findLostDecisions({ contents, approvals, approved, rejections }: Facts) {
  const rows = new Map<string, ActionRow>(contents.actions.map((row) => [row.id, row]))
  const lost: string[] = []
  for (const [id, { text }] of approved) {
    const textHash = hash('sha256', text, 'hex')
    const isKept = approvals.some(
      (row) => row.actionId === id && row.decision === 'approved' && row.textHash === textHash,
    )
    if (!isKept) lost.push(`I4: the approval of ${id} is lost`)
  }
  for (const id of rejections) {
    const state = rows.get(id)?.state
    if (state !== 'rejected') lost.push(`I4: ${id} was rejected and is ${state}`)
  }
  return lost
}

/** By what the network was sent, whatever the ledger has counted. */
function findOverspent({ accounts, contents, policies, networks }: Facts): readonly string[] {
  const byAccount = Map.groupBy(contents.actions, ({ accountId }) => accountId)
  return accounts.flatMap((account) => {
    const perHour = perHourOf(account, policies)
    const writes = networks.get(account.platform)?.faults.writes ?? []
    const firsts = (byAccount.get(account.id) ?? []).flatMap(({ key }) => {
      const first = writes.find((write) => write.key === key)
      return first === undefined ? [] : [first.at]
    })
    const most = mostWithin(firsts, hourMs)
    return most <= perHour ? [] : [`I2: ${account.id} sent ${most} in an hour of ${perHour}`]
  })
}

function perHourOf({ policy }: AccountRow, policies: Facts['policies']): number {
  const guards = policies.get(policy)?.guards ?? []
  const budget = guards.find(({ guard }) => guard === 'account_budget')
  return budget?.guard === 'account_budget' ? budget.perHour : Infinity
}

/** The longest a post of this age waits for its next look, with some time to spare. */
const nextLookMs = 30 * minuteMs

function findUnwatched({ contents }: Facts): readonly string[] {
  const last = Math.max(...contents.events.map(({ at }) => at))
  return contents.posts
    .filter(
      ({ status, nextCheckAt }) =>
        status !== 'watched' || nextCheckAt === null || nextCheckAt > last + nextLookMs,
    )
    .map(({ id, status, nextCheckAt }) => `I5: ${id} is ${status}, looked at next ${nextCheckAt}`)
}

function findBrokenChain({ chain }: Facts): readonly string[] {
  const { problems, unsealed } = chain
  return [
    ...problems.map((problem) => `I4: the chain of events has ${JSON.stringify(problem)}`),
    ...(unsealed === 0 ? [] : [`I4: ${unsealed} events are not in the chain`]),
  ]
}

/**
 * Each change of a row may send a job, some of them are delivered twice, and posts are checked in
 * batches: more than that would be workers that wake each other for nothing.
 */
function findJobStorm({ jobs, contents }: Facts): readonly string[] {
  const steps = contents.actions.reduce((sum, { version }) => sum + version + 1, 0)
  const most = steps + contents.posts.length
  const sum = [...jobs.values()].reduce((total, count) => total + count, 0)
  return sum <= most ? [] : [`sound: ${sum} jobs were done for ${steps} steps`]
}
