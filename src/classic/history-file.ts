/**
 * Owns the history file: a JSON array of records in the original's format. A missing file is an
 * empty history. A file that cannot be used is an error and stays as it is; to take it for empty
 * would forget every guard, and the next save would destroy the rest (I10).
 */

import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import { InputError } from '../core/input-error.ts'
import { HistoryFileError, reasonOf } from './history-file-error.ts'
import { JsonArrayError, splitJsonArray } from './json-array.ts'
import type { ArrayElement } from './json-array.ts'
import { enclose } from './python-json.ts'
import { followLinks, machineFileSystem, replaceFile } from './replace-file.ts'
import type { FileSystem } from './replace-file.ts'
import { readRecord } from './stored-record.ts'
import type { StoredRecord } from './stored-record.ts'

const repairAdvice =
  'it was left as it is: repair it or put a backup in its place; ' +
  'to forget every past action, and with them every guard, move it away'
const accessAdvice = 'make it a file that can be read and written, or choose another path'
const saveAdvice =
  'nothing was recorded: free some space or correct the access to its directory, then persist again'

const lineFeed = 0x0a

export class HistoryFile {
  /** Absolute, so that a change of the working directory does not lead to another file. */
  readonly path: string
  readonly #fs: FileSystem

  constructor(path: string, fs: FileSystem = machineFileSystem) {
    this.path = resolve(path)
    this.#fs = fs
  }

  /** All records, in the order of the file. */
  load(): readonly StoredRecord[] {
    const bytes = this.#read()
    if (bytes === null) return []
    if (!isUtf8(bytes)) throw this.#damaged(firstBadLine(bytes), 'it is not UTF-8')
    return this.#split(bytes.toString('utf8')).map((element, index) => {
      try {
        return readRecord(element.text)
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        throw this.#damaged(element.line, `record ${index + 1}: ${error.message}`, error)
      }
    })
  }

  /** Replaces the file by these records, wholly or not at all. */
  save(recordTexts: readonly string[]): void {
    try {
      replaceFile(this.#fs, this.path, enclose('[', recordTexts, ']', 0))
    } catch (error) {
      const problem = `it could not be saved (${reasonOf(error)})`
      throw new HistoryFileError(this.path, null, problem, saveAdvice, { cause: error })
    }
  }

  #read(): Buffer | null {
    let isFile: boolean
    try {
      const target = followLinks(this.#fs, this.path)
      const stats = this.#fs.statSync(target, { throwIfNoEntry: false })
      if (stats === undefined) return null
      isFile = stats.isFile()
      // A pipe would never end, and a device holds no history.
      if (isFile) return this.#fs.readFileSync(target)
    } catch (error) {
      const problem = `it could not be read (${reasonOf(error)})`
      throw new HistoryFileError(this.path, null, problem, accessAdvice, { cause: error })
    }
    throw new HistoryFileError(this.path, null, 'it is not a regular file', accessAdvice)
  }

  #split(text: string): readonly ArrayElement[] {
    try {
      return splitJsonArray(text)
    } catch (error) {
      if (!(error instanceof JsonArrayError)) throw error
      throw this.#damaged(error.line, error.message, error)
    }
  }

  #damaged(line: number, problem: string, cause?: unknown): HistoryFileError {
    return new HistoryFileError(this.path, line, problem, repairAdvice, { cause })
  }
}

function firstBadLine(bytes: Buffer): number {
  let line = 1
  for (let from = 0; from < bytes.length; line += 1) {
    const feed = bytes.indexOf(lineFeed, from)
    const to = feed === -1 ? bytes.length : feed
    if (!isUtf8(bytes.subarray(from, to))) return line
    from = to + 1
  }
  return line
}
