/**
 * Knows which files this process has open as a ledger. Closing any handle of a file drops the locks
 * that SQLite holds on it, so such a file is not read by other means. The list is of one thread:
 * open a ledger from one thread of a process only.
 */

import type { Stats } from 'node:fs'

const counts = new Map<string, number>()

export type FileIdentity = Pick<Stats, 'dev' | 'ino'>

const keyOf = ({ dev, ino }: FileIdentity) => `${dev}:${ino}`

export function noteOpened(file: FileIdentity): void {
  counts.set(keyOf(file), (counts.get(keyOf(file)) ?? 0) + 1)
}

export function noteClosed(file: FileIdentity): void {
  const left = (counts.get(keyOf(file)) ?? 0) - 1
  if (left > 0) counts.set(keyOf(file), left)
  else counts.delete(keyOf(file))
}

export function isOpenHere(file: FileIdentity): boolean {
  return counts.has(keyOf(file))
}
