/**
 * Owns the template language: LiquidJS without all that reads a file, the time or chance, and with
 * limits on length, time and memory. A post's text is only ever a value in it: what looks like
 * Liquid in a post is never run.
 */

import { Liquid } from 'liquidjs'
import type { Template } from 'liquidjs'
import { InputError } from '../core/input-error.ts'
import { scopeShape } from './scope.ts'
import type { Scope } from './scope.ts'

export const longestTemplate = 4000
/** So long that only a template that would never end meets it, whatever else the machine does. */
const renderLimitMs = 2000
const memoryLimit = 2_000_000
/** A text that is longer than any network takes. */
const longestOutput = 200_000

const tags = new Set(
  '# assign break capture case comment continue echo for if liquid raw unless'.split(' '),
)
const filters = new Set(
  (
    'abs append array_to_sentence_string at_least at_most capitalize ceil compact concat default ' +
    'divided_by downcase first floor join last lstrip minus modulo normalize_whitespace ' +
    'number_of_words plus pop prepend push remove remove_first remove_last replace replace_first ' +
    'replace_last reverse round rstrip shift size slice split squish strip strip_newlines times ' +
    'truncate truncatewords uniq unshift upcase'
  ).split(' '),
)

export interface CompiledTemplate {
  /** Throws where the template asks for something that this post does not have. */
  render(scope: Scope): string
}

/** Throws an InputError that names the line and, where one is unknown, the variable. */
export function compileTemplate(text: string, field: string): CompiledTemplate {
  const template = parse(text, field)
  requireKnownVariables(template, field)
  return {
    render(scope) {
      const output: unknown = liquid.renderSync(template, scope)
      if (typeof output !== 'string' || output.length > longestOutput) {
        throw new Error(`it renders to more than ${longestOutput} characters`)
      }
      return output
    },
  }
}

const liquid = createLiquid()

function createLiquid(): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // A lookup of files would find this empty list instead.
    templates: {},
    parseLimit: longestTemplate,
    renderLimit: renderLimitMs,
    memoryLimit,
  })
  for (const name of Object.keys(engine.tags)) if (!tags.has(name)) delete engine.tags[name]
  for (const name of Object.keys(engine.filters)) {
    if (!filters.has(name)) delete engine.filters[name]
  }
  return engine
}

function parse(text: string, field: string): Template[] {
  if (text.length > longestTemplate) {
    throw new InputError(field, `has ${text.length} characters of at most ${longestTemplate}`)
  }
  try {
    return liquid.parse(text)
  } catch (error) {
    throw new InputError(field, wordLiquidError(error))
  }
}

/** Liquid's own wording, with the line in front: `line 2: undefined filter: foo`. */
export function wordLiquidError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const match = /^([^]*?), line:(\d+), col:\d+$/.exec(message)
  return match === null ? message : `line ${match[2]}: ${match[1]}`
}

function requireKnownVariables(template: Template[], field: string): void {
  const { globals } = liquid.analyzeSync(template, { partials: false })
  for (const { segments, location } of Object.values(globals).flat()) {
    const path = segments.map((segment) => (typeof segment === 'object' ? null : segment))
    if (isKnown(path)) continue
    const name = path.map((segment) => segment ?? '[…]').join('.')
    const problem = `line ${location.row}: unknown variable ${name}; known are ${knownNames()}`
    throw new InputError(field, problem)
  }
}

/** A part that is computed is null; it can only be the number of a list's entry. */
function isKnown([root, name, ...parts]: readonly (string | number | null)[]): boolean {
  const group = lookUp(scopeShape, root)
  if (group === 'value') return name === undefined
  const leaf = lookUp(group, name)
  if (leaf !== 'value' && leaf !== 'list') return false
  if (parts.at(-1) === 'size') parts.pop()
  const [entry, ...rest] = parts
  if (entry === undefined || leaf === 'value') return parts.length === 0
  return rest.length === 0 && (typeof entry !== 'string' || entry === 'first' || entry === 'last')
}

function lookUp(shape: unknown, name: string | number | null | undefined): unknown {
  const isThere = typeof name === 'string' && typeof shape === 'object' && shape !== null
  return isThere ? new Map(Object.entries(shape)).get(name) : undefined
}

function knownNames(): string {
  return Object.entries(scopeShape)
    .flatMap(([root, group]) =>
      group === 'value' ? root : Object.keys(group).map((name) => `${root}.${name}`),
    )
    .join(', ')
}
