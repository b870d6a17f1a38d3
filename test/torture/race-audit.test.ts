/** An auditor that finds nothing proves nothing, so each kind of violation is shown to it here. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../src/core/duration.ts'
import type { LedgerEvent } from '../../src/core/events.ts'
import { createLedger, MemoryStore } from '../../src/ledger/index.ts'
import type { ActionRow, AttemptRow } from '../../src/ledger/rows.ts'
import { success } from '../../src/testing/ledger/world.ts'
import { beginning, claimOf, newAccount, newPost, planOf, stalledSamples } from './ledger-rows.ts'
import { findViolations, mostWithin } from './race-audit.ts'
import type { RaceFacts } from './race-audit.ts'
import { limits, racePolicy } from './race-world.ts'
import { readActions, readAttempts, readEvents } from './read-all.ts'
import { SharedClock } from './shared-clock.ts'

/** What one comment, sent and settled on a real ledger, leaves behind. */
async function honestFacts(): Promise<Facts> {
  const clock = new SharedClock(beginning)
  await using ledger = createLedger(new MemoryStore(clock))
  await ledger.savePolicy(racePolicy)
  const account = newAccount('account-0', 'bluesky', racePolicy)
  await ledger.saveAccount(account)
  const post = newPost('post-0', account, beginning)
  await ledger.trackPosts([post])
  await ledger.recordSamples(stalledSamples(post, beginning))
  const { actionId } = planOf('comment-0', post, racePolicy)
  await ledger.plan(planOf('comment-0', post, racePolicy))
  const token = 'worker-0:1'
  await ledger.claim(claimOf(actionId, token, racePolicy, hourMs))
  const begin = { attemptId: 'attempt-0', segment: 0, prepared: null, deadlineMs: minuteMs }
  await ledger.beginAttempt({ actionId, token, policy: racePolicy, ...begin })
  await ledger.settle({ actionId, token, attemptId: 'attempt-0', settlement: success })
  const actions = await readActions(ledger)
  const [action] = actions
  const [attempt] = await readAttempts(ledger, actions)
  if (action === undefined || attempt === undefined) throw new Error('nothing was written')
  return { action, attempt, events: await readEvents(ledger), claim: { actionId, token } }
}

interface Facts {
  readonly action: ActionRow
  readonly attempt: AttemptRow
  readonly events: readonly LedgerEvent[]
  readonly claim: RaceFacts['claims'][number]
}

function factsOf({ action, attempt, events, claim }: Facts, changes: Partial<RaceFacts> = {}) {
  const facts: RaceFacts = {
    actions: [action],
    attempts: [attempt],
    ownReplies: [],
    events,
    claims: [claim],
    ...changes,
  }
  return facts
}

const honest = await honestFacts()

type Change = (number: number) => Partial<ActionRow>

/** More of the same, each on a post of its own: as it would look if a limit had not held. */
function copies(length: number, change: Change = () => ({})) {
  const name = (number: number) => `copy-${number}` as ActionRow['id']
  const each = <Item>(make: (number: number) => Item) =>
    Array.from({ length }, (_, number) => make(number))
  const ownOf = (number: number) => ({
    id: name(number),
    key: `key-${number}` as ActionRow['key'],
    postId: `post-${number}` as ActionRow['postId'],
  })
  return {
    actions: each((number) => ({ ...honest.action, ...ownOf(number), ...change(number) })),
    attempts: each((number) => ({ ...honest.attempt, id: name(number), actionId: name(number) })),
    events: each((number) =>
      honest.events.map((event): LedgerEvent => ({ ...event, actionId: name(number) })),
    ).flat(),
    claims: each((number) => ({ ...honest.claim, actionId: name(number) })),
  }
}

test('an honest race has no violations', () => {
  expect(findViolations(factsOf(honest))).toEqual([])
  expect(findViolations(factsOf(honest, copies(limits.perHour)))).toEqual([])
})

test('a key with two rows is found', () => {
  const { key } = honest.action
  const found = findViolations(
    factsOf(
      honest,
      copies(2, () => ({ key })),
    ),
  )
  expect(found).toEqual([`key ${key} has 2 rows`])
})

test('a claim that two were given is found', () => {
  const claims = [honest.claim, { ...honest.claim, token: 'worker-1:1' }]
  expect(findViolations(factsOf(honest, { claims }))).toEqual([
    'comment-0 ran 1, was given 2 times',
  ])
})

test('a second first claim is found', () => {
  const events = [...honest.events, ...honest.events]
  const claims = [honest.claim, honest.claim]
  const found = findViolations(factsOf(honest, { events, claims }))
  expect(found).toEqual(['comment-0 was claimed first 2 times'])
})

test('a token that nobody was given is found', () => {
  const claims = [{ ...honest.claim, token: 'worker-9:1' }]
  const found = findViolations(factsOf(honest, { claims }))
  expect(found).toEqual(['comment-0 runs under a token that nobody was given'])
})

test('what was sent twice, or is done and was never sent, is found', () => {
  const again = { ...honest.attempt, id: 'attempt-1' }
  const twice = findViolations(factsOf(honest, { attempts: [honest.attempt, again] }))
  expect(twice).toEqual(['comment-0 was sent 2 times'])
  const never = findViolations(factsOf(honest, { attempts: [] }))
  expect(never).toEqual(['comment-0 is done but not sent'])
})

test('an exceeded hour, day and platform are found', () => {
  const hour = findViolations(factsOf(honest, copies(limits.perHour + 1)))
  expect(hour).toEqual(['account-0 began 5 in an hour'])
  const spread = copies(limits.perDay + 1, (number) => ({
    firstClaimedAt: beginning + number * 20 * minuteMs,
  }))
  const day = findViolations(factsOf(honest, { ...spread, attempts: [] }))
  expect(day).toContain('account-0 began 17 in a day')
  const { attempts } = copies(limits.platformMaximum + 1)
  expect(findViolations(factsOf(honest, { attempts }))).toContain('bluesky took 7 in its window')
})

test('a full window and a broken cooldown are found', () => {
  const reply = { postId: honest.action.postId, remoteId: 'own', at: beginning - 40 * minuteMs }
  const full = { ownReplies: [reply, reply] }
  expect(findViolations(factsOf(honest, full))).toEqual(['comment-0 began with 2 in the window'])
  const soon = { ownReplies: [{ ...reply, at: beginning - minuteMs }] }
  expect(findViolations(factsOf(honest, soon))).toEqual(['comment-0 began after 60000 ms of rest'])
})

test('two open actions on one post are found', () => {
  const { postId } = honest.action
  const open = copies(2, (number) => {
    return { postId, action: number === 0 ? 'comment' : 'edit', endedAt: null }
  })
  const found = findViolations(factsOf(honest, open))
  expect(found).toEqual(['copy-1 was planned beside another on post-0'])
})

test('a span holds both its ends', () => {
  expect(mostWithin([0, 5, 10, 11], 10)).toBe(3)
  expect(mostWithin([], 10)).toBe(0)
})
