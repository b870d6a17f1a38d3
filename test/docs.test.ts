/** The documents say what is there: every field, command, metric, guard and route; no dead link. */

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { allCommands } from '../src/cli/commands.ts'
import { openStatelessApi } from '../src/cli/local-api.ts'
import { fieldNames, flagOf, variableOf } from '../src/config/fields.ts'
import { classicPolicy } from '../src/core/policies/classic.ts'
import { standardPolicy } from '../src/core/policies/standard.ts'
import { World } from './server/world.ts'

const root = join(import.meta.dirname, '..')
/** What is made or fetched; in `content` stand the pages that the site makes of the documents. */
const skipped = new Set(['node_modules', 'dist', 'coverage', '.git', 'fixtures', 'content'])

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Every document of the repository, from the root. */
function documents(folder = root): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : documents(path)
    return entry.name.endsWith('.md') ? [relative(root, path)] : []
  })
}

/** Without what stands in code, where brackets mean other things. */
function prose(text: string): string {
  return text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

/** The anchors of a document's headings, as the usual renderers name them. */
function anchorsOf(text: string): readonly string[] {
  const withoutCode = text.replaceAll(/^```[^]*?^```/gm, '')
  return [...withoutCode.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

/** What is wrong with a link in a document, or null. */
function problemOf(document: string, link: string): string | null {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(root, document) : resolve(root, dirname(document), path)
  if (!existsSync(target)) return `${document}: ${link} leads nowhere`
  if (anchor === undefined || statSync(target).isDirectory()) return null
  const isThere = anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
  return isThere ? null : `${document}: ${link} names no heading`
}

describe('links', () => {
  const known = documents()

  test('there are documents to look at', () => {
    expect(known).toEqual(
      expect.arrayContaining(['README.md', 'docs/concepts.md', 'examples/README.md']),
    )
  })

  test.each(known)('of %s lead to a file and a heading', (document) => {
    const links = [...prose(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, link = '']) => link,
    )
    const own = links.filter((link) => !/^[a-z]+:/.test(link))
    expect(own.map((link) => problemOf(document, link)).filter((each) => each !== null)).toEqual([])
  })

  test('that lead nowhere would be found', () => {
    expect(problemOf('docs/cli.md', 'nothing.md')).toContain('leads nowhere')
    expect(problemOf('docs/cli.md', 'operating.md#nothing')).toContain('names no heading')
    expect(problemOf('docs/cli.md', 'operating.md#backup')).toBeNull()
  })
})

describe('docs/configuration.md', () => {
  const text = read('docs/configuration.md')

  test.each(fieldNames)('has a row for %s with its spellings', (name) => {
    const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
    const [, , variable = '', flag = ''] = row.split(' | ').join('|').split('|')
    expect(variable).toBe(`\`${variableOf(name)}\``)
    expect(flag === '–' || flag.startsWith(`\`${flagOf(name)}\``)).toBe(true)
  })
})

describe('docs/cli.md', () => {
  const text = read('docs/cli.md')
  const terminal = { stdout: silent(), stderr: silent(), stdin: {}, env: {}, cwd: () => root }

  function silent() {
    return { write: () => true }
  }

  test.each(allCommands)('names $name and all that stands below it', async ({ name, load }) => {
    const program = new Command('secondwind')
    const { define } = await load()
    define(program, terminal)
    const rows = text.split('\n').filter((line) => line.startsWith(`| \`${name}`))
    expect(rows.length).toBeGreaterThan(0)
    const children = (program.commands[0]?.commands ?? []).map((child) => child.name())
    const isNamed = (child: string) =>
      rows.some((row) => new RegExp(`^\\| \`${name} [^|]*\\b${child}\\b`).test(row))
    expect(children.filter((child) => !isNamed(child))).toEqual([])
  })
})

describe('docs/operating.md', () => {
  test('explains every metric of our own', async () => {
    const text = read('docs/operating.md')
    const world = await World.open()
    const authorization = `Bearer ${await world.token('read')}`
    const shown = await (await world.raw('/metrics', { headers: { authorization } })).text()
    const names = [...shown.matchAll(/^# HELP (secondwind_\w+)/gm)].map(([, name]) => name)
    const kinds = [...shown.matchAll(/^secondwind_ledger(\{what="\w+"\})/gm)].map(
      ([, what]) => what,
    )
    expect(names.length).toBeGreaterThan(5)
    expect(kinds.length).toBeGreaterThan(5)
    for (const name of names) expect(text).toContain(`\`${name}`)
    for (const what of kinds) expect(text).toContain(`\`secondwind_ledger${what}\``)
  })
})

describe('docs/policies.md', () => {
  const text = read('docs/policies.md')
  const { guards, ...rest } = standardPolicy

  test.each(guards.map(({ guard }) => guard))('has a row for the guard %s', (guard) => {
    expect(text).toContain(`| \`${guard}\` |`)
  })

  test('names every field of a policy and of its guards', () => {
    const top = Object.entries(rest).flatMap(([name, value]) =>
      ['evidence', 'looks', 'retry'].includes(name)
        ? Object.keys(value as object).map((key) => `${name}.${key}`)
        : name,
    )
    const ofGuards = [...guards, ...classicPolicy.guards].flatMap((guard) => Object.keys(guard))
    const hidden = new Set(['name', 'version', 'guard', 'guards', 'detector', 'tiers'])
    const names = new Set([...top, ...ofGuards].filter((name) => !hidden.has(name)))
    expect([...names].filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })
})

describe('docs/api.md', () => {
  test('has every route', async () => {
    const text = read('docs/api.md')
    await using api = await openStatelessApi()
    const { paths } = (await api.document()) as { readonly paths: Readonly<Record<string, object>> }
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      ),
    )
    expect(routes.length).toBeGreaterThan(50)
    const missing = routes.filter((route) => !text.includes(`\`${route}`))
    expect(missing.filter((route) => !route.startsWith('GET /export/'))).toEqual([])
  })
})
