/** Shows the torture's auditor each kind of loss: one that finds nothing would prove nothing. */

import { beforeAll, describe, expect, test } from 'vitest'
import { minuteMs } from '../../src/core/duration.ts'
import { createLedger, MemoryStore } from '../../src/ledger/index.ts'
import type { ActionRow, AttemptRow } from '../../src/ledger/rows.ts'
import { success } from '../../src/testing/ledger/world.ts'
import { AckBook } from './acknowledgement.ts'
import { beginning, claimOf, newAccount, newPost, planOf, stalledSamples } from './ledger-rows.ts'
import type { Sending } from './network-file.ts'
import { SharedClock } from './shared-clock.ts'
import { findLosses, readContents } from './torture-audit.ts'
import type { Contents } from './torture-audit.ts'
import { leaseMs, torturePolicy as policy } from './torture-world.ts'

interface Story {
  readonly contents: Contents
  readonly claimed: ActionRow
  readonly action: ActionRow
  readonly attempt: AttemptRow
  readonly network: readonly Sending[]
}

/** A comment that was sent and settled on a real ledger. */
async function liveThrough(): Promise<Story> {
  await using ledger = createLedger(new MemoryStore(new SharedClock(beginning)))
  await ledger.savePolicy(policy)
  const account = newAccount('account-0', 'bluesky', policy)
  await ledger.saveAccount(account)
  const post = newPost('post-0', account, beginning)
  await ledger.trackPosts([post])
  await ledger.recordSamples(stalledSamples(post, beginning))
  const plan = planOf('action-0', post, policy)
  const { actionId } = plan
  await ledger.plan(plan)
  const claimed = await ledger.claim(claimOf(actionId, 'token-0', policy, leaseMs))
  const send = { actionId, token: 'token-0', attemptId: 'attempt-0' }
  await ledger.beginAttempt({ ...send, segment: 0, prepared: null, deadlineMs: 1, policy })
  await ledger.settle({ ...send, settlement: success })
  const contents = await readContents(ledger)
  const [action] = contents.actions
  const [attempt] = contents.attempts
  if (action === undefined || attempt === undefined) throw new Error('nothing was written')
  if (claimed.kind !== 'claimed') throw new Error('nothing was claimed')
  const network = [{ key: action.key, segment: 0, attemptId: attempt.id }]
  return { contents, claimed: claimed.action, action, attempt, network }
}

let story: Story

beforeAll(async () => {
  story = await liveThrough()
})

/** The book of a worker that said all of it. */
function bookOf({ claimed, action, attempt }: Story): AckBook {
  const book = new AckBook()
  book.note({ kind: 'post', postId: action.postId, samples: 3 })
  book.note({ kind: 'action', row: claimed })
  book.note({ kind: 'attempt', attempt: { ...attempt, endedAt: null, result: 'pending' } })
  book.note({ kind: 'result', attemptId: attempt.id, result: 'landed' })
  book.note({ kind: 'action', row: action })
  return book
}

function lossesWith(changes: Partial<Contents>, network = story.network): readonly string[] {
  return findLosses(bookOf(story), { ...story.contents, ...changes }, network)
}

describe('the auditor', () => {
  test('finds nothing where nothing is lost', () => {
    expect(lossesWith({})).toEqual([])
  })

  test('finds a lost post, reading, row and attempt', () => {
    expect(lossesWith({ posts: [] })).toEqual(['post post-0 is lost'])
    const two = new Map([[story.action.postId, 2]])
    expect(lossesWith({ samples: two })).toEqual(['post-0 has 2 readings'])
    expect(lossesWith({ actions: [] })).toContain('version 4 (success) of action-0 is lost')
    expect(lossesWith({ attempts: [] })).toContain('attempt attempt-0 is lost')
  })

  test('finds a row that went back to an earlier version', () => {
    const found = lossesWith({ actions: [story.claimed] })
    expect(found).toContain('version 4 (success) of action-0 is lost')
  })

  test('finds an ended row that changed', () => {
    const later = { ...story.action, version: 5, endedAt: beginning + minuteMs }
    expect(lossesWith({ actions: [later] })).toEqual(['version 4 (success) of action-0 is lost'])
  })

  test('finds another text under the same id', () => {
    const other = { ...story.action, textHash: 'of another text' }
    expect(lossesWith({ actions: [other] })).toContain('action-0 is about something else now')
  })

  test('finds a version that was written twice', () => {
    const book = bookOf(story)
    book.note({ kind: 'action', row: { ...story.claimed, token: 'of another' } })
    const found = findLosses(book, story.contents, story.network)
    expect(found).toContain('version 2 of action-0 was written twice')
  })

  test('finds a result that was forgotten', () => {
    const attempts: AttemptRow[] = [{ ...story.attempt, result: 'unknown' }]
    const found = lossesWith({ attempts })
    expect(found).toEqual(['attempt attempt-0 came to landed, and is unknown now'])
  })

  test('finds what was sent twice', () => {
    const again = story.network.concat({ ...story.network[0], attemptId: 'attempt-1' } as Sending)
    const found = lossesWith({}, again)
    expect(found).toContain(`${story.action.key}/0 was sent 2 times`)
    expect(found).toContain('attempt attempt-1 is out, and is undefined in the ledger')
  })

  test('finds a landing that the network does not show', () => {
    const found = lossesWith({}, [])
    expect(found).toEqual(['attempt attempt-0 is landed in the ledger and was never sent'])
  })

  test('finds a missing event', () => {
    const without = (kind: string) => ({
      events: story.contents.events.filter(({ type }) => type !== kind),
    })
    const moved = 'the events of action-0 do not lead to success'
    expect(lossesWith(without('action_changed'))).toEqual([moved])
    expect(lossesWith(without('attempt_begun'))).toEqual(['action-0 has 1 sends and 0 events'])
  })
})
