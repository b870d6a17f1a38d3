/** Bugs that a ledger could have. */

import { dayMs } from '../../src/core/duration.ts'
import { isEnded } from '../../src/core/states.ts'
import { hashText, LedgerError } from '../../src/ledger/index.ts'
import type { ActionRow, ActionView, Ledger, SettleCommand } from '../../src/ledger/index.ts'
import type { TappedStore } from '../auditor/tapped-store.ts'
import type { PlantedBug } from './planted-bug.ts'
import { withCalls, withViews } from './seams.ts'

/** Whatever is planned stays so: its time runs from the plan, and not from when it could land. */
function fromThePlan(actions: readonly ActionRow[]): readonly ActionRow[] {
  return actions.map((row) => ({ ...row, mayLandUntil: row.plannedAt }))
}

function putText(store: TappedStore, row: ActionRow, text: string): void {
  store.rows.putAction({ ...row, text, textHash: hashText(text), version: row.version + 1 })
}

function asInAuto<View extends { readonly account: { readonly mode: string } }>(view: View): View {
  return { ...view, account: { ...view.account, mode: 'auto' } }
}

function inUtc<View extends { readonly account: object }>(view: View): View {
  return { ...view, account: { ...view.account, timeZone: 'Etc/GMT+12' } }
}

function approvedAnyway<View extends Pick<ActionView, 'action' | 'approvals'>>(view: View): View {
  const { textHash } = view.action
  return { ...view, approvals: view.approvals.map((row) => ({ ...row, textHash })) }
}

let settled = 0

export const ledgerBugs: readonly PlantedBug[] = [
  {
    name: 'cooldown-from-the-plan',
    breaks: 'I3',
    mistake: 'counts the rest from when an action was planned',
    store: withViews({
      claim: (view) => ({ ...view, actions: fromThePlan(view.actions) }),
      post: (view) => ({ ...view, actions: fromThePlan(view.actions) }),
    }),
  },
  {
    name: 'hand-replies-uncounted',
    breaks: 'I2',
    mistake: 'does not see that the owner has just replied by hand',
    store: withViews({
      claim: (view) => ({ ...view, ownReplies: [] }),
      post: (view) => ({ ...view, ownReplies: [] }),
    }),
  },
  {
    name: 'acknowledged-and-dropped',
    breaks: 'I4',
    mistake: 'answers before it has written',
    ledger: withCalls((ledger) => ({
      settle: async (command) => {
        settled += 1
        const action = await ledger.getAction(command.actionId)
        const drops = settled % 20 === 0 && action !== null
        return drops ? { kind: 'settled', action } : ledger.settle(command)
      },
    })),
  },
  {
    name: 'another-outcome',
    breaks: 'I4',
    mistake: 'stores the outcome of one action with another',
    ledger: withCalls((ledger) => ({
      settle: (command) => ledger.settle(withForeignOutcome(command)),
    })),
  },
  {
    name: 'leases-never-end',
    breaks: 'I5',
    mistake: 'never frees a claim whose owner died',
    ledger: withCalls(() => ({ expire: async () => [] })),
  },
  {
    name: 'nobody-reads-back',
    breaks: 'I5',
    mistake: 'never lists what is unknown',
    ledger: withCalls((ledger) => ({
      dueOfEach: async (kinds, limit) => {
        const due = await ledger.dueOfEach(kinds, limit)
        return due.map((ids, index) => (kinds[index] === 'reconcile' ? [] : ids))
      },
    })),
  },
  {
    name: 'waits-for-ever',
    breaks: 'I5',
    mistake: 'puts a retry off by seconds where it should be milliseconds',
    ledger: withCalls((ledger) => ({
      settle: (command) => ledger.settle(withLateRetry(command)),
    })),
  },
  {
    name: 'late-answers-reopen',
    breaks: 'I7',
    mistake: 'writes a late answer into a row that has ended',
    ledger: (ledger, store) => ({ ...ledger, settle: settleOverEnded(ledger, store) }),
  },
  {
    name: 'undo-marks-its-target',
    breaks: 'I7',
    mistake: 'notes in the action itself that it was taken back',
    ledger: (ledger, store) => ({
      ...ledger,
      planUndo: async (command) => {
        const result = await ledger.planUndo(command)
        const target = store.rows.action(command.undoes)
        store.rows.putAction({ ...target, outcome: { undone: true } })
        return result
      },
    }),
  },
  {
    name: 'revised-while-waiting',
    breaks: 'I8',
    mistake: 'lets the text change after the first claim',
    ledger: (ledger, store) => ({
      ...ledger,
      settle: async (command) => {
        const result = await ledger.settle(command)
        const { action } = result
        if (action.state === 'waiting') putText(store, action, `${action.text ?? ''} Again.`)
        return result
      },
    }),
  },
  {
    name: 'prepared-anew',
    breaks: 'I8',
    mistake: 'loses what was prepared, so that a repeat is other bytes',
    ledger: withCalls((ledger) => ({
      claim: async (command) => {
        const result = await ledger.claim(command)
        if (result.kind !== 'claimed') return result
        return { ...result, attempts: result.attempts.map((row) => ({ ...row, prepared: null })) }
      },
    })),
  },
  {
    name: 'damage-is-a-hiccup',
    breaks: 'I10',
    mistake: 'takes a damaged ledger for a busy one and tries again',
    ledgerFaults: (faults) => {
      const { errorOf } = faults
      faults.errorOf = (fault) =>
        fault.kind === 'damaged' ? new LedgerError('busy', 'Try again') : errorOf(fault)
    },
  },
  {
    name: 'begins-anew',
    breaks: 'I10',
    mistake: 'takes a damaged ledger for an empty one',
    onDamage: ({ rows }) => (rows.actions as Map<unknown, unknown>).clear(),
  },
  {
    name: 'blind-to-pauses',
    breaks: 'I11',
    mistake: 'does not ask whether anything is paused',
    store: withViews({
      claim: (view) => ({ ...view, pauses: [] }),
      post: (view) => ({ ...view, pauses: [] }),
      action: (view) => ({ ...view, pauses: [] }),
    }),
  },
  {
    name: 'pause-after-the-claim',
    breaks: 'I11',
    mistake: 'asks for pauses when it claims, and not when it sends',
    store: withViews({ action: (view) => ({ ...view, pauses: [] }) }),
  },
  {
    name: 'mode-read-once',
    breaks: 'I11',
    mistake: 'does not notice that the account asks first by now',
    store: withViews({ claim: asInAuto, action: asInAuto }),
  },
  {
    name: 'wrong-time-zone',
    breaks: 'I11',
    mistake: 'keeps the quiet hours of another place',
    store: withViews({ claim: inUtc, action: inUtc, post: inUtc }),
  },
  {
    name: 'approved-and-changed',
    breaks: 'I11',
    mistake: 'lets the text change after it was approved, and asks only whether it was',
    store: withViews({ claim: approvedAnyway, action: approvedAnyway }),
    ledger: (ledger, store) => ({
      ...ledger,
      decide: async (command) => {
        const result = await ledger.decide(command)
        if (command.decision.kind === 'approve' && result.kind === 'done') {
          putText(store, result.action, `${result.action.text ?? ''} Buy now.`)
        }
        return result
      },
    }),
  },
]

function withForeignOutcome(command: SettleCommand): SettleCommand {
  const { settlement } = command
  if (settlement.kind !== 'success') return command
  const outcome = { remoteIds: ['another'], url: null, partial: false }
  return { ...command, settlement: { ...settlement, outcome } }
}

function withLateRetry(command: SettleCommand): SettleCommand {
  const { settlement } = command
  if (settlement.kind !== 'waiting') return command
  const retryAt = settlement.retryAt + 1000 * dayMs
  return { ...command, settlement: { ...settlement, retryAt } }
}

function settleOverEnded(ledger: Ledger, store: TappedStore): Ledger['settle'] {
  return async (command) => {
    const before = store.rows.action(command.actionId)
    if (isEnded(before.state)) {
      store.rows.putAction({ ...before, outcome: null, version: before.version + 1 })
    }
    return ledger.settle(command)
  }
}
