/**
 * Owns how a finished database comes to its path: it is built in a folder of its own beside it,
 * flushed, and then given its name in one step. Nobody ever sees a half-made one, and nothing that
 * has the name already is replaced.
 */

import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ledgerError, systemCodeOf } from './errors.ts'

/** Only its owner may read it: it holds sealed credentials and unpublished texts. */
const ownerOnly = 0o600

export interface Draft extends Disposable {
  /** Where to build; an empty file of the right mode is there. */
  readonly path: string
  /** Gives the finished file its name. False where something has that name already. */
  place(): boolean
}

export function beginDraft(target: string): Draft {
  const directory = dirname(target)
  try {
    const firstMade = mkdirSync(directory, { recursive: true })
    const workshop = mkdtempSync(join(directory, '.ledger-'))
    const path = join(workshop, 'draft')
    closeSync(openSync(path, 'wx', ownerOnly))
    return {
      path,
      place: () => placeDraft(path, target, firstMade),
      [Symbol.dispose]: () => rmSync(workshop, { recursive: true, force: true }),
    }
  } catch (error) {
    const what = `No file can be made there (${systemCodeOf(error)})`
    throw ledgerError('unavailable', target, what, error)
  }
}

function placeDraft(draft: string, target: string, firstMade: string | undefined): boolean {
  try {
    chmodSync(draft, ownerOnly)
    flush(draft)
    // Unlike a rename, a link never takes the place of another file.
    linkSync(draft, target)
    flushDirectories(dirname(target), firstMade)
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false
    const what = `The file cannot be put there (${systemCodeOf(error)})`
    throw ledgerError('unavailable', target, what, error)
  }
}

/** A name, or a directory just made, is durable once the directory that holds it is flushed. */
function flushDirectories(directory: string, firstMade: string | undefined): void {
  // Windows cannot open a directory to flush it; there the file system keeps the order itself.
  if (process.platform === 'win32') return
  const last = firstMade === undefined ? directory : dirname(resolve(firstMade))
  for (let current = directory; ; current = dirname(current)) {
    flush(current)
    if (current === last || current === dirname(current)) return
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
