/** Finds and reads the configuration file: TypeScript, JavaScript, JSON or YAML. */

import { existsSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InputError } from '../core/input-error.ts'
import type { Places } from './places.ts'

export interface ConfigFile {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
}

const baseName = 'secondwind.config'
const endings = ['.ts', '.mts', '.js', '.mjs', '.json', '.yaml', '.yml']

/** The one that was named, else one in this folder, else one in the owner's own; or none. */
export async function readConfigFile(
  named: string | null,
  folder: string,
  places: Places,
): Promise<ConfigFile | null> {
  const path = named === null ? find([folder, places.configFolder]) : resolve(folder, named)
  if (path === null) return null
  if (!existsSync(path)) throw new InputError('config', `there is no file ${path}`)
  const values = await read(path)
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new InputError('config', `${path} must hold one object, as defineConfig makes it`)
  }
  return { path, values: values as Record<string, unknown> }
}

function find(folders: readonly string[]): string | null {
  const paths = folders.flatMap((folder) =>
    endings.map((ending) => join(folder, baseName + ending)),
  )
  const [first = null, second] = paths.filter((path) => existsSync(path))
  if (first !== null && second !== undefined && sameFolder(first, second)) {
    throw new InputError('config', `both ${first} and ${second} are there; keep one of them`)
  }
  return first
}

function sameFolder(first: string, second: string): boolean {
  return join(first, '..') === join(second, '..')
}

async function read(path: string): Promise<unknown> {
  try {
    switch (extname(path)) {
      case '.json':
        return JSON.parse(readFileSync(path, 'utf8'))
      case '.yaml':
      case '.yml': {
        const { parse } = await import('yaml')
        // An empty file says nothing, which is not an error.
        return parse(readFileSync(path, 'utf8')) ?? {}
      }
      default:
        return ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new InputError('config', `${path} cannot be read: ${problem}`)
  }
}
