/**
 * Changes to an account, each on its locked row: what others set meanwhile is never written over.
 * An account that was erased stays as it is, whoever asks.
 */

import type { EventData, NewEvent } from '../../core/events.ts'
import type { Json } from '../../core/json.ts'
import type { AccountRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { Step } from '../store.ts'
import type { AccountView } from '../views.ts'

/** What people change of an account; the rest belongs to connectors and the engine. */
export type AccountChange = Partial<
  Pick<AccountRow, 'mode' | 'policy' | 'timeZone' | 'holdoutShare' | 'handle'>
>

export function updateStep(view: AccountView, change: AccountChange): Step<AccountRow | null> {
  if (view.account.status === 'erased') return { result: null, changes: noChanges }
  const account = changed(view.account, change)
  if (account === view.account) return { result: account, changes: noChanges }
  const { mode, policy } = account
  return write(view, account, account, 'account_saved', { mode, policy })
}

export function profileStep(view: AccountView, handle: string, profile: Json): Step<null> {
  if (view.account.status === 'erased') return { result: null, changes: noChanges }
  return { result: null, changes: { account: { ...view.account, handle, profile } } }
}

/** Only work that goes on can be stopped, and the first reason stays. */
export function parkStep(view: AccountView, code: string, reason: string): Step<'done'> {
  if (view.account.status !== 'active') return { result: 'done', changes: noChanges }
  const account: AccountRow = { ...view.account, status: 'parked', statusReason: reason }
  return write(view, 'done', account, 'account_parked', { code })
}

/** Without new credentials it goes on with those it has. */
export function activateStep(
  view: AccountView,
  credentials: string | null,
): Step<AccountRow | null> {
  const before = view.account
  if (before.status === 'erased') return { result: null, changes: noChanges }
  const account = changed(before, {
    status: 'active',
    statusReason: null,
    credentials: credentials ?? before.credentials,
  })
  if (account === before) return { result: before, changes: noChanges }
  return write(view, account, account, 'account_activated', {})
}

/** Two that renew at once both hold the old ones; only the first may store what it got. */
export function replaceCredentialsStep(
  view: AccountView,
  expected: string | null,
  next: string,
): Step<boolean> {
  const { account } = view
  if (account.status === 'erased' || account.credentials !== expected) {
    return { result: false, changes: noChanges }
  }
  return write(view, true, { ...account, credentials: next }, 'credentials_replaced', {})
}

/** The same row where nothing differs; a field that is undefined is not changed. */
function changed(account: AccountRow, change: Partial<AccountRow>): AccountRow {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const differs = given.some(([field, value]) => account[field as keyof AccountRow] !== value)
  return differs ? { ...account, ...Object.fromEntries(given) } : account
}

function write<Result, Type extends AccountEvent>(
  { now }: AccountView,
  result: Result,
  account: AccountRow,
  type: Type,
  data: EventData[Type],
): Step<Result> {
  const subject = { accountId: account.id, postId: null, actionId: null }
  const event = { type, at: now, ...subject, data } as NewEvent
  return { result, changes: { account, events: [event] } }
}

type AccountEvent =
  | 'account_saved'
  | 'account_parked'
  | 'account_activated'
  | 'credentials_replaced'
