/** Finds recorded posts and policies in files, and says which file it is that cannot be used. */

import { readFile, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { InputError } from '../core/input-error.ts'
import { classicPolicy } from '../core/policies/classic.ts'
import { standardPolicy } from '../core/policies/standard.ts'
import { parsePolicy } from '../core/policy.ts'
import type { Policy } from '../core/policy.ts'
import { readCsv } from '../engine/backtest/read-csv.ts'
import { readJson } from '../engine/backtest/read-json.ts'
import type { RecordedPost } from '../engine/backtest/recorded-post.ts'

const unzip = promisify(gunzip)
const recording = /\.(csv|json)(\.gz)?$/

/** Posts of one file, or of every .csv and .json file of a folder, also packed as .gz. */
export async function readRecordings(path: string): Promise<readonly RecordedPost[]> {
  const files = await listFiles(path)
  const posts: RecordedPost[] = []
  for (const file of files) {
    const name = basename(file).replace(recording, '')
    const text = await readText(file)
    for (const post of file.includes('.csv') ? readCsv(text, name) : readJson(text, name)) {
      posts.push(post)
    }
  }
  return posts
}

async function listFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new InputError(path, 'there is no such file or folder')
  if (!found.isDirectory()) {
    if (recording.test(path)) return [path]
    throw new InputError(path, 'is not a recording; its name must end in .csv, .json or one + .gz')
  }
  const names = (await readdir(path)).filter((name) => recording.test(name)).toSorted()
  if (names.length === 0) {
    throw new InputError(path, 'holds no recording: no name ends in .csv, .json or one + .gz')
  }
  return names.map((name) => join(path, name))
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file)
  if (!file.endsWith('.gz')) return bytes.toString('utf8')
  try {
    return (await unzip(bytes)).toString('utf8')
  } catch {
    throw new InputError(file, 'cannot be unpacked; it is not a whole .gz file')
  }
}

/** A policy by its name, or from a file. */
export async function readPolicy(name: string): Promise<Policy> {
  if (name === 'standard') return standardPolicy
  if (name === 'classic') return classicPolicy
  if (!name.endsWith('.json')) {
    throw new InputError('policy', `${name} is neither standard nor classic nor a .json file`)
  }
  const text = await readFile(name, 'utf8').catch(() => null)
  if (text === null) throw new InputError('policy', `${name} cannot be read; is the path right?`)
  try {
    return parsePolicy(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new InputError(name, `is not JSON: ${error.message}`)
    throw error
  }
}
