/**
 * Keeps time and chance behind the Clock and the Random that the engine is given. One raw call, and
 * the simulator can no longer replay a run. Tests beside their files follow the same rule.
 */

import type { ESTree } from 'rolldown/utils'
import { findImports } from './imports.ts'
import type { Finding, Rule, SourceFile } from './source-file.ts'

/** Who may use what, and why. `names` holds what is reported, or is `all`. */
const exceptions: readonly {
  readonly path: string
  readonly names: 'all' | readonly string[]
  readonly why: string
}[] = [
  {
    path: 'src/system.ts',
    names: 'all',
    why: 'it is the Clock and the Random of the real machine',
  },
  {
    path: 'src/vault/',
    names: ['randomBytes'],
    why: 'a nonce that can be replayed breaks the seal',
  },
]

const timers = ['setTimeout', 'setInterval', 'setImmediate']
const draws = [
  'randomUUID',
  'randomBytes',
  'randomInt',
  'randomFill',
  'randomFillSync',
  'getRandomValues',
]
const modules = /^(node:)?(timers|perf_hooks)(\/|$)/
const members = new Set([
  'Date.now',
  'Temporal.Now',
  'Math.random',
  'performance.now',
  'AbortSignal.timeout',
  ...timers.flatMap((name) => [`globalThis.${name}`, `global.${name}`, `window.${name}`]),
])
/** These have one meaning, whatever object they are taken from. */
const names = new Set([...draws, 'hrtime'])
const chance = new Set(['Math.random', ...draws])

export const givenTime: Rule = {
  name: 'given-time',
  check(file) {
    if (!/^(src|sim)\//.test(file.path)) return []
    const used = [...findRawModules(file), ...findRawNames(file)]
    return used.filter(({ name }) => !isExcepted(file.path, name)).map(toFinding)
  },
}

interface Use {
  readonly at: number
  readonly name: string
}

function isExcepted(path: string, name: string): boolean {
  return exceptions.some(
    (exception) =>
      (exception.path.endsWith('/') ? path.startsWith(exception.path) : path === exception.path) &&
      (exception.names === 'all' || exception.names.includes(name)),
  )
}

function toFinding({ at, name }: Use): Finding {
  const source = chance.has(name) ? 'Random' : 'Clock'
  return { at, what: `${name} is raw; use the ${source} that is passed in` }
}

function findRawModules(file: SourceFile): readonly Use[] {
  return findImports(file)
    .filter(({ specifier }) => modules.test(specifier))
    .map(({ at, specifier }) => ({ at, name: specifier }))
}

function findRawNames(file: SourceFile): readonly Use[] {
  const uses: Use[] = []
  const labels = new Set<unknown>()
  const label = (node: { readonly key: unknown; readonly computed: boolean }) => {
    if (!node.computed) labels.add(node.key)
  }
  file.walk({
    // A label is visited after its parent, so a parent can say that it is no reference.
    MethodDefinition: label,
    PropertyDefinition: label,
    TSMethodSignature: label,
    TSPropertySignature: label,
    Property: (node) => {
      if (!node.shorthand) label(node)
    },
    MemberExpression: (node) => {
      if (!node.computed) labels.add(node.property)
      const name = rawMember(node.object, memberName(node))
      if (name !== null) uses.push({ at: node.start, name })
    },
    VariableDeclarator: (node) => uses.push(...findTakenApart(node)),
    Identifier: (node) => {
      const raw = timers.includes(node.name) || names.has(node.name)
      if (raw && !labels.has(node)) uses.push({ at: node.start, name: node.name })
    },
    NewExpression: (node) => {
      const bare = node.arguments.length === 0 && lastName(node.callee) === 'Date'
      if (bare) uses.push({ at: node.start, name: 'new Date()' })
    },
    CallExpression: (node) => {
      if (lastName(node.callee) === 'Date') uses.push({ at: node.start, name: 'Date()' })
    },
  })
  return uses
}

/** `const { now } = Date` takes the clock as surely as `Date.now` does. */
function findTakenApart({ id, init }: ESTree.VariableDeclarator): readonly Use[] {
  if (id.type !== 'ObjectPattern' || init === null) return []
  const uses: Use[] = []
  for (const property of id.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
    const name = rawMember(init, property.key.name)
    if (name !== null) uses.push({ at: property.start, name })
  }
  return uses
}

/** How a raw member is reported, or null where it is none. */
function rawMember(object: ESTree.Expression, property: string | null): string | null {
  if (property === null) return null
  if (names.has(property)) return property
  const name = `${lastName(object)}.${property}`
  return members.has(name) ? name : null
}

function memberName(node: ESTree.MemberExpression): string | null {
  if (node.property.type === 'Literal') return String(node.property.value)
  return node.computed || node.property.type !== 'Identifier' ? null : node.property.name
}

/** `Date` of both `Date` and `globalThis.Date`. */
function lastName(node: ESTree.Expression): string | null {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' ? memberName(node) : null
}
