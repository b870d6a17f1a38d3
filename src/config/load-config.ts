/**
 * Decides every field: a flag comes before the environment, that before the file, that before what
 * is built in. It keeps where each value came from, and collects every problem instead of stopping
 * at the first, so that the owner can be shown all of it at once.
 */

import { readFileSync } from 'node:fs'
import { InputError, parseWith } from '../core/input-error.ts'
import { Secret } from '../core/secret.ts'
import { nearest } from '../core/nearest.ts'
import { readConfigFile } from './config-file.ts'
import type { ConfigFile } from './config-file.ts'
import { fieldNames, fields, flagOf, variableOf } from './fields.ts'
import type { Config, Field, FieldName } from './fields.ts'
import { findPlaces } from './places.ts'
import type { Environment, Places } from './places.ts'

export interface ConfigRequest {
  /** By field, as they were typed. */
  readonly flags: Readonly<Partial<Record<FieldName, string>>>
  readonly env: Environment
  /** The file that was named on the command line, or null. */
  readonly file: string | null
  readonly folder: string
  readonly home: string
}

/** One field as it was decided. */
export interface Setting {
  readonly name: FieldName
  /** Fit to be shown: a secret is not in it. */
  readonly shown: string
  /** A flag, a variable, a file, or `default`. */
  readonly from: string
}

export interface LoadedConfig {
  readonly config: Config
  readonly places: Places
  /** The file that was read, or null. */
  readonly file: string | null
  readonly settings: readonly Setting[]
  /** What is wrong. The fields concerned have what is built in. */
  readonly problems: readonly InputError[]
}

interface Given {
  readonly value: unknown
  readonly from: string
}

export async function loadConfig(request: ConfigRequest): Promise<LoadedConfig> {
  const places = findPlaces(request.env, request.home)
  const problems: InputError[] = []
  const attempt = <Value>(read: () => Value, instead: Value): Value => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      problems.push(error)
      return instead
    }
  }
  const named = request.file ?? request.env['SECONDWIND_CONFIG'] ?? null
  const file = await readConfigFile(named, request.folder, places).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error
    problems.push(error)
    return null
  })
  for (const problem of strangers(file, request.env)) problems.push(problem)
  const settings: Setting[] = []
  const values: Partial<Record<FieldName, unknown>> = {}
  for (const name of fieldNames) {
    const fallback = { value: fields[name].fallback(places), from: 'default' }
    const { value, from } = attempt(() => decide(name, request, file) ?? fallback, fallback)
    values[name] = value
    settings.push({ name, shown: show(value), from })
  }
  return { config: values as Config, places, file: file?.path ?? null, settings, problems }
}

/** The same, for who can do nothing with a configuration that is wrong. */
export async function requireConfig(request: ConfigRequest): Promise<LoadedConfig> {
  const loaded = await loadConfig(request)
  const [first] = loaded.problems
  if (first !== undefined) throw first
  return loaded
}

function decide(name: FieldName, request: ConfigRequest, file: ConfigFile | null): Given | null {
  const flag = request.flags[name]
  if (flag !== undefined) return parse(name, fromText(name, flag, flagOf(name)), flagOf(name))
  const variable = variableOf(name)
  const text = readVariable(variable, request.env)
  if (text !== null) return parse(name, fromText(name, text, variable), variable)
  if (file === null || file.values[name] === undefined) return null
  return { ...parse(name, file.values[name], name), from: file.path }
}

function parse(name: FieldName, value: unknown, where: string): Given {
  const { schema } = fields[name] as Field<unknown>
  return { value: parseWith(schema, value, where), from: where }
}

/** A secret may be in a file that the variable with `_FILE` names, as containers have it. */
function readVariable(variable: string, env: Environment): string | null {
  const text = env[variable]
  const path = env[`${variable}_FILE`]
  // The file of the key has a variable of just this name.
  if (path === undefined || isVariable(`${variable}_FILE`)) return text ?? null
  if (text !== undefined) {
    throw new InputError(variable, `and ${variable}_FILE are both set; keep one of them`)
  }
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new InputError(`${variable}_FILE`, `${path} cannot be read; is the path right?`)
  }
}

function isVariable(name: string): boolean {
  return fieldNames.some((each) => variableOf(each) === name)
}

function fromText(name: FieldName, text: string, where: string): unknown {
  switch (fields[name].kind) {
    case 'text':
      return text
    case 'number': {
      const value = Number(text)
      if (text.trim() === '' || !Number.isFinite(value)) {
        throw new InputError(where, `must be a number, not ${JSON.stringify(text)}`)
      }
      return value
    }
    case 'yes_or_no': {
      const word = text.trim().toLowerCase()
      if (['true', 'yes', '1'].includes(word)) return true
      if (['false', 'no', '0'].includes(word)) return false
      throw new InputError(where, `must be true or false, not ${JSON.stringify(text)}`)
    }
    case 'list':
      return text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    case 'data':
      try {
        return JSON.parse(text) as unknown
      } catch {
        throw new InputError(where, 'must be JSON here; a configuration file is easier')
      }
  }
}

/** What the command line reads, and is no field. */
const beside = ['CONFIG', 'SERVER', 'TOKEN', 'TOKEN_FILE'].map((name) => `SECONDWIND_${name}`)

/** Names that nobody knows: a slip of the pen would otherwise be passed over in silence. */
function strangers(file: ConfigFile | null, env: Environment): readonly InputError[] {
  const inFile = Object.keys(file?.values ?? {})
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => new InputError(name, `unknown field in ${file?.path}${hint(name, fieldNames)}`))
  const variables = fieldNames.flatMap((name) => [variableOf(name), `${variableOf(name)}_FILE`])
  const known = [...beside, ...variables]
  const inEnv = Object.keys(env)
    .filter((name) => name.startsWith('SECONDWIND_') && !name.startsWith('SECONDWIND_TEST_'))
    .filter((name) => !known.includes(name))
    .map((name) => new InputError(name, `unknown variable${hint(name, known)}`))
  return [...inFile, ...inEnv]
}

function hint(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === null ? '; remove it' : `; did you mean ${meant}?`
}

function show(value: unknown): string {
  if (value === null) return 'none'
  if (value instanceof Secret) return String(value)
  if (typeof value === 'string') return withoutPassword(value)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(showItem).join(', ')
  return JSON.stringify(value)
}

function showItem(item: unknown): string {
  if (typeof item === 'string') return item
  const { name } = (item ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' ? name : '…'
}

/** A database's address may carry its password. */
export function withoutPassword(address: string): string {
  return address.replace(/^([a-z][a-z+.-]*:\/\/[^/:@]*):[^@]*@/i, '$1:[redacted]@')
}
