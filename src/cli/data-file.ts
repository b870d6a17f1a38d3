/** Reads a file of JSON or YAML that a person named. */

import { readFile } from 'node:fs/promises'
import { InputError } from '../core/input-error.ts'

export async function readDataFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) throw new InputError(path, 'cannot be read; is the path right?')
  try {
    if (/\.ya?ml$/.test(path)) return (await import('yaml')).parse(text) as unknown
    return JSON.parse(text) as unknown
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new InputError(path, `is not ${/\.ya?ml$/.test(path) ? 'YAML' : 'JSON'}: ${problem}`)
  }
}
