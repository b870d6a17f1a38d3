/** Owns the identities that all parts share. Their brands keep one from being passed as another. */

import { InputError, shown } from './input-error.ts'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** The ledger's own id of a post; some networks change theirs on an edit. */
export type PostId = Branded<'PostId'>
/** One identity on one platform. */
export type AccountId = Branded<'AccountId'>
/** The idempotency key of an action. */
export type ActionKey = Branded<'ActionKey'>
/** A row of the ledger that plans and carries out one action. */
export type ActionId = Branded<'ActionId'>

const longestId = 512

/** Checks text that is about to be hashed or stored: it must survive UTF-8 unchanged. */
export function requireWellFormed(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new InputError(field, `${shown(value)} is not text`)
  if (!value.isWellFormed()) {
    throw new InputError(field, 'holds half of a surrogate pair, which has no UTF-8 form')
  }
  return value
}

function parseId(value: unknown, field: string): string {
  const text = requireWellFormed(value, field)
  if (text === '') throw new InputError(field, 'is empty')
  if (text.length > longestId) {
    throw new InputError(field, `is longer than ${longestId} characters`)
  }
  if (text.includes('\0')) throw new InputError(field, 'holds a NUL character')
  return text
}

export const toPostId = (value: unknown, field = 'postId'): PostId =>
  parseId(value, field) as PostId
export const toAccountId = (value: unknown, field = 'accountId'): AccountId =>
  parseId(value, field) as AccountId
export const toActionId = (value: unknown, field = 'actionId'): ActionId =>
  parseId(value, field) as ActionId
export const toActionKey = (value: unknown, field = 'key'): ActionKey =>
  parseId(value, field) as ActionKey
