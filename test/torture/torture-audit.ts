/**
 * Owns the judgement after a torture: what was acknowledged is in the ledger, what the network
 * shows is known to it, and its events tell the same story as its rows (I1, I4, I7).
 */

import { isDeepStrictEqual } from 'node:util'
import type { LedgerEvent } from '../../src/core/events.ts'
import type { PostId } from '../../src/core/ids.ts'
import { isEnded } from '../../src/core/states.ts'
import type { State } from '../../src/core/states.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { ActionRow, AttemptRow, PostRow } from '../../src/ledger/rows.ts'
import type { AckBook, AttemptResult } from './acknowledgement.ts'
import { Findings } from './findings.ts'
import type { Sending } from './network-file.ts'
import { readActions, readAttempts, readEvents, readPosts } from './read-all.ts'

/** All that a ledger holds of actions. */
export interface Contents {
  readonly posts: readonly PostRow[]
  /** How many readings there are of each post. */
  readonly samples: ReadonlyMap<PostId, number>
  readonly actions: readonly ActionRow[]
  readonly attempts: readonly AttemptRow[]
  readonly events: readonly LedgerEvent[]
}

export async function readContents(ledger: Ledger): Promise<Contents> {
  const posts = await readPosts(ledger)
  const samples = new Map<PostId, number>()
  for (const { id } of posts) samples.set(id, (await ledger.listSamples(id)).length)
  const actions = await readActions(ledger)
  return {
    posts,
    samples,
    actions,
    attempts: await readAttempts(ledger, actions),
    events: await readEvents(ledger),
  }
}

/** What went wrong, in words; nothing where all is there. */
export function findLosses(
  book: AckBook,
  contents: Contents,
  network: readonly Sending[],
): readonly string[] {
  const findings = new Findings()
  for (const contradiction of book.contradictions) findings.require(false, contradiction)
  auditPosts(findings, book, contents)
  auditActions(findings, book, contents)
  auditAttempts(findings, book, contents)
  auditNetwork(findings, contents, network)
  auditEvents(findings, contents)
  return findings.list
}

function auditPosts(findings: Findings, book: AckBook, { posts, samples }: Contents): void {
  const stored = new Set(posts.map(({ id }) => id))
  for (const [id, count] of book.posts) {
    findings.require(stored.has(id), `post ${id} is lost`)
    findings.require(samples.get(id) === count, `${id} has ${samples.get(id)} readings`)
  }
}

/** A row is the acknowledged one, or a later one; an ended row is the acknowledged one for ever. */
function auditActions(findings: Findings, book: AckBook, { actions }: Contents): void {
  const stored = new Map<string, ActionRow>(actions.map((row) => [row.id, row]))
  for (const [id, versions] of book.rows) {
    const row = stored.get(id)
    for (const acknowledged of versions.values()) {
      const { version, state } = acknowledged
      const isSame = isDeepStrictEqual(row, acknowledged)
      const isLater = row !== undefined && row.version > version && !isEnded(state)
      findings.require(isSame || isLater, `version ${version} (${state}) of ${id} is lost`)
      const isAbout = row?.key === acknowledged.key && row.textHash === acknowledged.textHash
      findings.require(isAbout, `${id} is about something else now`)
    }
  }
}

/** Evidence only ever adds. */
const certainty: Readonly<Record<AttemptResult, number>> = {
  pending: 0,
  unknown: 1,
  not_landed: 2,
  landed: 3,
}

function auditAttempts(findings: Findings, book: AckBook, { attempts }: Contents): void {
  const stored = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  for (const { id, token, number, prepared } of book.attempts.values()) {
    const found = stored.get(id)
    const isSame =
      found?.token === token &&
      found.number === number &&
      isDeepStrictEqual(found.prepared, prepared)
    findings.require(isSame, `attempt ${id} is lost`)
  }
  for (const [id, result] of book.results) {
    const found = stored.get(id)?.result
    const isKept = found !== undefined && certainty[found] >= certainty[result]
    findings.require(isKept, `attempt ${id} came to ${result}, and is ${found} now`)
  }
}

/** Nothing is out twice, and nothing is out of which the ledger says that it is not. */
function auditNetwork(
  findings: Findings,
  { attempts }: Contents,
  network: readonly Sending[],
): void {
  const stored = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  const sent = new Set(network.map(({ attemptId }) => attemptId))
  for (const [place, sends] of Map.groupBy(network, ({ key, segment }) => `${key}/${segment}`)) {
    findings.require(sends.length === 1, `${place} was sent ${sends.length} times`)
  }
  for (const { attemptId } of network) {
    const result = stored.get(attemptId)?.result
    const isKnown = result !== undefined && result !== 'not_landed'
    findings.require(isKnown, `attempt ${attemptId} is out, and is ${result} in the ledger`)
  }
  for (const { id, result } of attempts) {
    const isTrue = result !== 'landed' || sent.has(id)
    findings.require(isTrue, `attempt ${id} is landed in the ledger and was never sent`)
  }
}

/** The events of a row lead from its plan to its state, step by step, and none is missing. */
function auditEvents(findings: Findings, { actions, attempts, events }: Contents): void {
  const byAction = Map.groupBy(events, ({ actionId }) => actionId ?? '')
  const sends = Map.groupBy(attempts, ({ actionId }) => actionId)
  for (const { id, state } of actions) {
    const told = byAction.get(id) ?? []
    const own = sends.get(id) ?? []
    let reached: State | null = null
    let isWhole = true
    for (const event of told) {
      if (event.type === 'action_planned') reached = event.data.state
      if (event.type !== 'action_changed') continue
      isWhole &&= event.data.from === reached
      reached = event.data.to
    }
    findings.require(isWhole && reached === state, `the events of ${id} do not lead to ${state}`)
    const begun = told.filter(({ type }) => type === 'attempt_begun').length
    findings.require(begun === own.length, `${id} has ${own.length} sends and ${begun} events`)
  }
}
