/** Owns what both ways of signing in ask for. */

import { InputError, shown } from '../../core/input-error.ts'
import type { SignInField, SignInValues } from '../connector.ts'

export const handleField: SignInField = {
  name: 'handle',
  label: 'Handle',
  hint: 'As on your profile, like name.bsky.social.',
  isSecret: false,
  fallback: null,
}

export const editsField: SignInField = {
  name: 'edits',
  label: 'Edits',
  hint: 'yes or no. The server takes edits, but the main app goes on showing the first version.',
  isSecret: false,
  fallback: 'no',
}

/** What was entered, or what is taken where nothing was. */
export function valueOf(values: SignInValues, { name, fallback }: SignInField): string {
  const entered = values[name]?.trim() ?? ''
  if (entered !== '') return entered
  if (fallback === null) throw new InputError(name, 'is missing; enter it')
  return fallback
}

export function wantsEdits(values: SignInValues): boolean {
  const value = valueOf(values, editsField).toLowerCase()
  if (value === 'yes' || value === 'no') return value === 'yes'
  throw new InputError(editsField.name, `${shown(value)} is neither yes nor no`)
}
