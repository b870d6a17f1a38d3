/**
 * Owns the small part of JSON Schema that the API's description uses: making values that fit a
 * schema, and telling whether a value does.
 */

import * as fc from 'fast-check'
import type { JsonSchema } from './requests.ts'

export type Schemas = Readonly<Record<string, JsonSchema>>

/** Words that mean something in the world that is asked about; the rest is left to chance. */
const knownWords = [
  'ann',
  'bob',
  'stage@1',
  'standard@1',
  'UTC',
  'app-password',
  'browser',
  'secret',
  'paused',
  'correct horse battery',
] as const

/** Why the value does not fit, as paths; nothing where it does. */
export function findMisfits(
  value: unknown,
  schema: JsonSchema,
  schemas: Schemas,
  path = '$',
): readonly string[] {
  const named = follow(schema, schemas)
  if (named !== schema) return findMisfits(value, named, schemas, path)
  const misfits: string[] = []
  const { allOf, anyOf, oneOf } = schema as Record<string, JsonSchema[] | undefined>
  for (const part of allOf ?? []) misfits.push(...findMisfits(value, part, schemas, path))
  const choices = anyOf ?? oneOf
  if (choices !== undefined) {
    const results = choices.map((choice) => findMisfits(value, choice, schemas, path))
    if (results.every((result) => result.length > 0)) misfits.push(...(results[0] ?? []))
  }
  const types = typesOf(schema)
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return [...misfits, `${path} is not ${types.join(' or ')}`]
  }
  const { enum: values } = schema as { enum?: unknown[] }
  if (values !== undefined && !values.includes(value)) misfits.push(`${path} is not in the list`)
  if (Array.isArray(value) && isSchema(schema['items'])) {
    for (const [index, item] of value.entries()) {
      misfits.push(...findMisfits(item, schema['items'], schemas, `${path}[${index}]`))
    }
  } else if (isRecord(value)) misfits.push(...findInRecord(value, schema, schemas, path))
  return misfits
}

function findInRecord(
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  schemas: Schemas,
  path: string,
): readonly string[] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  const required = (schema['required'] ?? []) as string[]
  const misfits = required
    .filter((name) => !(name in value))
    .map((name) => `${path}.${name} is missing`)
  for (const [name, entry] of Object.entries(value)) {
    const known = properties[name] ?? schema['additionalProperties']
    if (isSchema(known)) misfits.push(...findMisfits(entry, known, schemas, `${path}.${name}`))
    else if (known === false) misfits.push(`${path}.${name} is unknown`)
  }
  return misfits
}

/** Values that fit the schema, with odd ones among them. */
export function arbitraryOf(
  schema: JsonSchema,
  schemas: Schemas,
  depth = 0,
): fc.Arbitrary<unknown> {
  const named = follow(schema, schemas)
  if (named !== schema) return arbitraryOf(named, schemas, depth)
  const { anyOf, oneOf, enum: values } = schema as Record<string, JsonSchema[] | undefined>
  const choices = anyOf ?? oneOf
  if (choices !== undefined) {
    return fc.oneof(...choices.map((choice) => arbitraryOf(choice, schemas, depth)))
  }
  if (values !== undefined) return fc.constantFrom(...values)
  const types = typesOf(schema)
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 })
  return fc.oneof(...types.map((type) => ofType(type, schema, schemas, depth)))
}

function ofType(
  type: string,
  schema: JsonSchema,
  schemas: Schemas,
  depth: number,
): fc.Arbitrary<unknown> {
  const { minimum = -1e6, maximum = 1e6 } = schema as { minimum?: number; maximum?: number }
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array': {
      const items = isSchema(schema['items']) ? schema['items'] : {}
      const maxLength = depth > 3 ? 1 : 4
      return fc.array(arbitraryOf(items, schemas, depth + 1), { maxLength })
    }
    case 'object':
      return recordOf(schema, schemas, depth)
    default:
      return fc.constant(null)
  }
}

function textOf({ format, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const range = { min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true }
    return fc.date(range).map((date) => date.toISOString())
  }
  if (format === 'uri') return fc.webUrl()
  const any = fc.string({
    unit: 'grapheme',
    minLength: 1,
    maxLength: Math.min(40, Number(maxLength)),
  })
  return fc.oneof(any, fc.constantFrom(...knownWords))
}

function recordOf(schema: JsonSchema, schemas: Schemas, depth: number): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  const required = (schema['required'] ?? []) as string[]
  if (Object.keys(properties).length === 0) {
    return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
  }
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, entry]) => [
      name,
      arbitraryOf(entry, schemas, depth + 1),
    ]),
  )
  const needed = Object.fromEntries(
    Object.entries(model).filter(([name]) => required.includes(name)),
  )
  // With every field that may be left out, hardly anything would fit together.
  return fc.oneof(fc.record(needed), fc.record(model, { requiredKeys: required }))
}

function follow(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const name = $ref.replace('#/components/schemas/', '')
  const found = schemas[name]
  if (found === undefined) throw new Error(`There is no schema ${name}`)
  return found
}

function typesOf({ type }: JsonSchema): readonly string[] {
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? (type as string[]) : []
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value)
}
