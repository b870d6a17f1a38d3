/** What people decide about actions: they approve, change, refuse, take back and look after. */

import { hourMs, minuteMs } from '../../src/core/duration.ts'
import { toActionId } from '../../src/core/ids.ts'
import type { ActionId } from '../../src/core/ids.ts'
import type { ActionRow, Decision, Ledger } from '../../src/ledger/index.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'
import type { Network } from '../installation/network.ts'
import type { Activities } from './activities.ts'

export interface DecidersOptions {
  readonly ledger: Ledger
  readonly networks: ReadonlyMap<string, Network>
  readonly activities: Activities
  readonly stream: Stream
}

export function beginDeciders(options: DecidersOptions): void {
  options.activities.every(3 * hourMs, () => lookThrough(options))
  options.activities.every(60 * hourMs, () => takeSomethingBack(options))
}

const openPage = { after: null, limit: 500 }

async function lookThrough(options: DecidersOptions): Promise<void> {
  const { ledger, stream, activities } = options
  const states = ['planned', 'awaiting_approval', 'approved', 'waiting', 'needs_attention'] as const
  for (const row of await ledger.listActions({ states }, openPage)) {
    if (row.state === 'needs_attention') {
      activities.after(patienceMs, () => lookAfter(options, row.id))
      continue
    }
    const decision = decideOn(row, stream)
    if (decision !== null) await ledger.decide({ actionId: row.id, by, decision })
  }
}

const by = 'a person'
/**
 * Longer than a network takes to show what it was sent, by a watch of their own: the machine's
 * clock may have jumped, and what seems to be hours old was sent a minute ago.
 */
const patienceMs = 15 * minuteMs

function decideOn(row: ActionRow, stream: Stream): Decision | null {
  const place = stream.fraction()
  switch (row.state) {
    case 'awaiting_approval':
      return decideOnRequest(row, place)
    case 'planned':
      if (place < 0.1) return { kind: 'reject', reason: 'no' }
      return place < 0.2 ? { kind: 'cancel', reason: 'not now' } : revise(row, place, 0.3)
    case 'approved':
      if (place < 0.15) return { kind: 'cancel', reason: 'on second thoughts' }
      return place < 0.3 ? { kind: 'reject', reason: 'on third thoughts' } : null
    case 'waiting':
      return place < 0.1 ? { kind: 'cancel', reason: 'enough' } : null
    default:
      return null
  }
}

function decideOnRequest(row: ActionRow, place: number): Decision | null {
  const terms = { textHash: row.textHash, graceMs: 5 * minuteMs, expiresAfterMs: 5 * hourMs }
  if (place < 0.5) return { kind: 'approve', ...terms }
  if (place < 0.6) return { kind: 'approve', ...terms, text: `${row.text ?? ''} Indeed.` }
  if (place < 0.68) return { kind: 'reject', reason: 'not like this' }
  if (place < 0.74) return { kind: 'snooze', untilMs: hourMs }
  if (place < 0.78) return { kind: 'cancel', reason: 'not needed' }
  return revise(row, place, 0.85)
}

function revise(row: ActionRow, place: number, below: number): Decision | null {
  if (place >= below) return null
  return { kind: 'revise', textHash: row.textHash, text: `${row.text ?? ''} Really.` }
}

/** A person goes and looks, and says what is there. */
async function lookAfter({ ledger, networks }: DecidersOptions, id: ActionId): Promise<void> {
  const row = await ledger.getAction(id)
  if (row?.state !== 'needs_attention') return
  const truth = networks.get(row.platform)?.truth
  const landed = (key: ActionRow['key']) => (truth?.effectsOf(key).length ?? 0) > 0
  // Of an undo that nobody can follow, they say that it did not work, and may ask again.
  const isThere = row.undoes === null && landed(row.key)
  const decision = { kind: 'attend', landed: isThere, outcome: { seen: isThere } } as const
  await ledger.decide({ actionId: id, by, decision })
}

async function takeSomethingBack({ ledger, networks, stream }: DecidersOptions): Promise<void> {
  const accounts = await ledger.listAccounts()
  const account = accounts[Math.floor(stream.fraction() * accounts.length)]
  if (account === undefined) return
  const rows = await ledger.listActions(
    { accountId: account.id, states: ['success'] },
    { after: null, limit: 10_000 },
  )
  const done = rows
    .filter(({ undoes, action }) => {
      const canUndo = networks.get(account.platform)?.profile.description.canUndo[action]
      return undoes === null && canUndo === true
    })
    .sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0))
  const row = done[Math.floor(stream.fraction() * Math.min(3, done.length))]
  if (row === undefined) return
  const actionId = toActionId(`undo-${stream.id()}`)
  await ledger.planUndo({ actionId, postId: row.postId, undoes: row.id })
}
