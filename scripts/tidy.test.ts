import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { checkSource, checkTree, ruleNames, wordReport } from './tidy/check.ts'

const header = '/** Owns an idea. */\n'

/** What the rules say about one file, as `line rule`. */
function broken(path: string, text: string): readonly string[] {
  return checkSource(path, text).map(({ line, rule }) => `${line} ${rule}`)
}

/** What the rules say about one src file whose second line is the given one. */
function brokenBy(path: string, line: string): readonly string[] {
  return broken(path, `${header}${line}\n`)
}

describe('import direction', () => {
  const allowed = [
    ['src/core/decide.ts', './evidence.ts'],
    ['src/core/guards/holdout.ts', '../until.ts'],
    ['src/system.ts', './core/clock.ts'],
    ['src/classic/executor.ts', '../core/index.ts'],
    ['src/classic/executor.ts', '../system.ts'],
    ['src/ledger/memory.ts', '../core/index.ts'],
    ['src/ledger/memory.test.ts', '../testing/ledger-kit.ts'],
    ['src/engine/act.ts', '../vault/seal.ts'],
    ['src/engine/act.ts', '../system.ts'],
    ['src/server/routes.ts', '../engine/act.ts'],
    ['src/cli/run.ts', '../server/routes.ts'],
    ['src/testing/ledger-kit.ts', '../ledger/port.ts'],
    ['src/testing/index.ts', '../platform/port.ts'],
    ['src/index.ts', './engine/act.ts'],
    ['sim/world.ts', '../src/ledger/memory.ts'],
    ['examples/embed.ts', 'secondwind/testing'],
    ['web/app.tsx', './chart.tsx'],
  ] as const

  it.each(allowed)('%s may import %s', (path, specifier) => {
    expect(brokenBy(path, `import { it } from '${specifier}'`)).toEqual([])
  })

  const forbidden = [
    ['src/core/decide.ts', '../ledger/memory.ts'],
    ['src/core/decide.ts', '../system.ts'],
    ['src/core/decide.ts', '../index.ts'],
    ['src/system.ts', './ledger/memory.ts'],
    ['src/ledger/memory.ts', '../platform/port.ts'],
    ['src/ledger/memory.ts', '../system.ts'],
    ['src/ledger/memory.ts', '../testing/ledger-kit.ts'],
    ['src/ledger/memory.test.ts', '../platform/port.ts'],
    ['src/platform/port.ts', '../engine/act.ts'],
    ['src/vault/seal.ts', '../content/template.ts'],
    ['src/classic/executor.ts', '../ledger/memory.ts'],
    ['src/engine/act.ts', '../server/routes.ts'],
    ['src/server/routes.ts', '../cli/run.ts'],
    ['src/testing/ledger-kit.ts', '../engine/act.ts'],
    ['src/index.ts', './testing/index.ts'],
    ['src/engine/act.ts', '../../sim/world.ts'],
    ['src/engine/act.test.ts', '../../test/torture.ts'],
    ['src/cli/run.ts', '../../scripts/build.ts'],
    ['src/engine/act.ts', 'secondwind'],
    ['web/app.tsx', '../src/server/routes.ts'],
    ['web/app.tsx', 'secondwind'],
  ] as const

  it.each(forbidden)('%s must not import %s', (path, specifier) => {
    expect(brokenBy(path, `import { it } from '${specifier}'`)).toEqual(['2 import-direction'])
  })

  it('lets none of one group import another', () => {
    const group = ['classic', 'ledger', 'platform', 'content', 'vault']
    for (const from of group) {
      for (const to of group.filter((other) => other !== from)) {
        const line = `import type { It } from '../${to}/it.ts'`
        expect(brokenBy(`src/${from}/it.ts`, line)).toEqual(['2 import-direction'])
      }
    }
  })

  const forms = [
    "import type { Row } from '../ledger/row.ts'",
    "import '../ledger/row.ts'",
    "export { row } from '../ledger/row.ts'",
    "export type { Row } from '../ledger/row.ts'",
    "export * from '../ledger/row.ts'",
    "export const row = await import('../ledger/row.ts')",
    'export const row = await import(`../ledger/row.ts`)',
    "export type Row = import('../ledger/row.ts').Row",
  ]

  it.each(forms)('sees %s', (line) => {
    expect(brokenBy('src/platform/port.ts', line)).toEqual(['2 import-direction'])
  })

  it('lets the dashboard take types of the server that leave nothing behind', () => {
    const from = "from '../src/server/answers.ts'"
    expect(brokenBy('web/app.tsx', `import type { Answer } ${from}`)).toEqual([])
    expect(brokenBy('web/app.tsx', `import { type Answer } ${from}`)).toEqual([
      '2 import-direction',
    ])
    expect(brokenBy('web/app.tsx', "import type { Post } from '../src/core/index.ts'")).toEqual([
      '2 import-direction',
    ])
  })

  it('refuses a part of src that has no place in the architecture', () => {
    expect(brokenBy('src/extras/more.ts', 'export const more = 1')).toEqual(['1 import-direction'])
    expect(brokenBy('src/extra.ts', 'export const more = 1')).toEqual(['1 import-direction'])
  })

  it('says what is allowed instead', () => {
    const text = `${header}import { it } from '../engine/act.ts'\n`
    expect(checkSource('src/ledger/memory.ts', text)[0]?.what).toBe(
      'ledger must not import engine; it may import only core',
    )
  })
})

describe('pure core', () => {
  const impure = [
    "import { readFileSync } from 'node:fs'",
    "import { readFile } from 'node:fs/promises'",
    "import { connect } from 'node:net'",
    "import { get } from 'node:http'",
    "import { get } from 'node:https'",
    "import { spawn } from 'node:child_process'",
    "import { createSign } from 'node:crypto'",
    "import * as crypto from 'node:crypto'",
    "import pg from 'pg'",
  ]

  it.each(impure)('refuses %s', (line) => {
    expect(brokenBy('src/core/key.ts', line)).toEqual(['2 pure-core'])
    expect(brokenBy('src/core/key.test.ts', line)).toEqual([])
    expect(brokenBy('src/platform/fetch.ts', line)).toEqual([])
  })

  it('allows a hash and the schema library', () => {
    expect(brokenBy('src/core/key.ts', "import { hash } from 'node:crypto'")).toEqual([])
    expect(brokenBy('src/core/key.ts', "import { z } from 'zod'")).toEqual([])
  })
})

describe('given time', () => {
  const raw = [
    'export const now = Date.now()',
    'export const now = Date.now',
    "export const now = Date['now']()",
    'export const now = globalThis.Date.now()',
    'export const { now } = Date',
    'export const now = new Date()',
    'export const now = new Date',
    'export const now = Date()',
    'export const now = performance.now()',
    'export const now = process.hrtime.bigint()',
    'export const now = Temporal.Now.instant()',
    'setTimeout(() => {}, 10)',
    'export const timer = setInterval(() => {}, 10)',
    'export const later = setImmediate',
    'globalThis.setTimeout(() => {}, 10)',
    'export const { setTimeout: later } = globalThis',
    'export const signal = AbortSignal.timeout(10)',
    "import { setTimeout as delay } from 'node:timers/promises'",
    "import { scheduler } from 'timers/promises'",
    "import { performance as p } from 'node:perf_hooks'",
    'export const dice = Math.random()',
    'export const { random } = Math',
    'export const id = crypto.randomUUID()',
    'export const bytes = crypto.getRandomValues(new Uint8Array(8))',
    "import { randomUUID as id } from 'node:crypto'",
    "import { randomBytes } from 'node:crypto'",
    "import { randomInt } from 'node:crypto'",
  ]

  it.each(raw)('refuses %s', (line) => {
    const lines = new Set(brokenBy('src/engine/act.ts', line))
    expect([...lines]).toEqual(['2 given-time'])
    expect(brokenBy('src/engine/act.test.ts', line)).toContain('2 given-time')
    expect(brokenBy('sim/world.ts', line)).toContain('2 given-time')
    for (const path of ['src/system.ts', 'scripts/run.ts', 'test/torture.ts', 'bench/core.ts']) {
      expect(brokenBy(path, line)).toEqual([])
    }
  })

  const given = [
    'export const now = clock.now()',
    'export const date = new Date(0)',
    'export const midnight = Date.UTC(2026, 0, 1)',
    'export const draw = random.fraction()',
    'export const fake = { setTimeout: clock.sleep, Date: 1 }',
    'export interface Timers { setTimeout(): void; readonly randomUUID: string }',
    'export const timer = world.setTimeout(10)',
    "export const text = 'Date.now()' // never Math.random()",
  ]

  it.each(given)('accepts %s', (line) => {
    expect(brokenBy('src/engine/act.ts', line)).toEqual([])
  })

  it('lets the vault draw nonces and nothing else', () => {
    const draw = (name: string) => `import { ${name} } from 'node:crypto'`
    expect(brokenBy('src/vault/seal.ts', draw('randomBytes'))).toEqual([])
    expect(brokenBy('src/vault/seal.ts', draw('randomUUID'))).toEqual(['2 given-time'])
    expect(brokenBy('src/vaults.ts', draw('randomBytes'))).toContain('2 given-time')
  })
})

describe('sizes', () => {
  const filler = (count: number) => 'export {}\n'.repeat(count)
  const body = (count: number) => '  work()\n'.repeat(count)

  it('allows 400 lines a file and no more', () => {
    expect(broken('src/core/long.ts', header + filler(399))).toEqual([])
    expect(broken('src/core/long.ts', header + filler(400))).toEqual(['401 file-length'])
  })

  it.each([
    ['export function work() {\n', '}\n'],
    ['export const work = () => {\n', '}\n'],
    ['export const work = function () {\n', '}\n'],
    ['export class Work {\n  it() {\n', '}}\n'],
    ["it('works', () => {\n", '})\n'],
  ])('allows 70 lines a function and no more: %j', (open, close) => {
    const opened = header + open
    const line = open.split('\n').length
    expect(broken('src/core/long.ts', opened + body(68) + close)).toEqual([])
    expect(broken('src/core/long.ts', opened + body(69) + close)).toEqual([
      `${line} function-length`,
    ])
  })

  it('measures the tests in a suite and not the suite', () => {
    const suite = (head: string) => `${header}${head}, () => {\n${body(80)}})\n`
    expect(broken('src/core/long.test.ts', suite("describe('long'"))).toEqual([])
    expect(broken('src/core/long.test.ts', suite("describe.each([1])('long'"))).toEqual([])
    expect(broken('src/core/long.test.ts', suite("it('is long'"))).toEqual(['2 function-length'])
  })

  it('allows 100 characters a line and no more', () => {
    const padded = (length: number) => `export const a = '${'a'.repeat(length - 19)}'`
    expect(brokenBy('src/core/wide.ts', padded(100))).toEqual([])
    expect(brokenBy('src/core/wide.ts', padded(101))).toEqual(['2 line-length'])
    expect(broken('test/wide.ts', padded(101))).toEqual(['1 line-length'])
  })

  it('allows an address in a comment to be as long as it is', () => {
    const address = `https://example.org/${'a'.repeat(100)}`
    expect(brokenBy('src/core/wide.ts', `// See ${address} for more.`)).toEqual([])
    expect(brokenBy('src/core/wide.ts', `// ${'See '.repeat(30)}${address}`)).toEqual([
      '2 line-length',
    ])
    expect(brokenBy('src/core/wide.ts', `export const a = '${address}'`)).toEqual(['2 line-length'])
  })
})

describe('names', () => {
  it.each(['Decide.ts', 'decideAll.ts', 'decide_all.ts', '-decide.ts', 'decide-.test.ts'])(
    'refuses the file name %s',
    (name) => expect(broken(`test/${name}`, 'export {}\n')).toEqual(['1 file-name']),
  )

  it.each(['decide.ts', 'decide-all.test.ts', 'i11.ts', 'vite.config.ts', 'app.tsx', 'a.d.ts'])(
    'accepts the file name %s',
    (name) => expect(broken(`test/${name}`, 'export {}\n')).toEqual([]),
  )

  it('wants every export named, except where a tool asks for a default', () => {
    const value = 'export default 1\n'
    const renamed = 'const a = 1\nexport { a as default }\n'
    expect(broken('bench/core.ts', value)).toEqual(['1 named-exports'])
    expect(broken('bench/core.ts', renamed)).toEqual(['2 named-exports'])
    expect(broken('web/vite.config.ts', value + renamed)).toEqual([])
  })
})

describe('comments', () => {
  it.each([
    ['', 1],
    ["import { z } from 'zod'\n/** Owns it. */\n", 1],
    ['// Owns it.\n', 1],
    ['/* Owns it. */\n', 1],
    ['/** */\n', 1],
    ['#!/usr/bin/env node\n// Owns it.\n', 2],
  ])('want a header in src: %j', (text, line) => {
    expect(broken('src/core/bare.ts', text)).toEqual([`${line} header-comment`])
    expect(broken('scripts/bare.ts', text)).toEqual([])
  })

  it.each(['/** Owns it. */', '/**\n * Owns it.\n */', '#!/usr/bin/env node\n/** Owns it. */'])(
    'accept the header %j',
    (text) => expect(broken('src/core/bare.ts', text)).toEqual([]),
  )

  it.each(['TODO', 'FIXME', 'XXX'])('put nothing off with %s', (word) => {
    expect(brokenBy('src/core/later.ts', `// ${word}: think`)).toEqual(['2 unfinished'])
    expect(broken('test/later.ts', `/**\n * Well.\n * ${word}\n */\n`)).toEqual(['3 unfinished'])
    expect(brokenBy('src/core/later.ts', `export const ${word}S = '${word}'`)).toEqual([])
  })
})

describe('a tree', () => {
  let root = ''
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  function plant(files: Readonly<Record<string, string>>): void {
    root = mkdtempSync(join(tmpdir(), 'tidy-'))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }

  it('is reported with every violation in it, and every rule can be violated', () => {
    plant({
      'src/core/a.ts': `${header}import { b } from '../ledger/b.ts'\nimport 'node:fs'\n`,
      'src/engine/Clock.ts': 'export default Date.now() // TODO\n',
      'sim/broken.ts': 'const const\n',
      'scripts/long.ts': 'export {}\n'.repeat(401),
      'examples/wide.ts': `export const a = () => {\n${'a()\n'.repeat(70)}'${'a'.repeat(99)}'\n}\n`,
      'docs/utils/notes.md': '',
    })
    const { fileCount, violations } = checkTree(root)
    expect(violations.map(({ path, line, rule }) => `${path}:${line} ${rule}`)).toEqual([
      'docs/utils:1 folder-name',
      'examples/wide.ts:1 function-length',
      'examples/wide.ts:72 line-length',
      'scripts/long.ts:401 file-length',
      'sim/broken.ts:1 syntax',
      'src/core/a.ts:2 import-direction',
      'src/core/a.ts:3 pure-core',
      'src/engine/Clock.ts:1 given-time',
      'src/engine/Clock.ts:1 file-name',
      'src/engine/Clock.ts:1 header-comment',
      'src/engine/Clock.ts:1 named-exports',
      'src/engine/Clock.ts:1 unfinished',
    ])
    expect(fileCount).toBe(5)
    expect(new Set(violations.map(({ rule }) => rule))).toEqual(new Set(ruleNames))
  })

  it('is not entered where others wrote it', () => {
    const ugly = 'export default 1\n'
    plant({
      'node_modules/lib/Bad.ts': ugly,
      'web/node_modules/utils/Bad.ts': ugly,
      'dist/lib/Bad.ts': ugly,
      '.cache/Bad.ts': ugly,
      'test/fixtures/common/Bad.ts': ugly,
      'docs/Bad.ts': ugly,
      'src/core/good.ts': header,
      'tool.config.ts': ugly,
    })
    expect(checkTree(root)).toEqual({ fileCount: 2, violations: [] })
  })

  it.each(['utils', 'common', 'lib', 'helpers', 'Utils'])('has no folder named %s', (name) => {
    plant({ [`src/core/${name}/good.ts`]: header })
    expect(checkTree(root).violations.map(({ path }) => path)).toEqual([`src/core/${name}`])
  })

  it('is worded one line a violation, with a count at the end', () => {
    const violation = { path: 'a.ts', line: 7, rule: 'syntax', what: 'correct it' }
    const rules = ruleNames.length
    expect(wordReport({ fileCount: 2, violations: [violation] })).toEqual([
      'a.ts:7: syntax: correct it',
      `tidy: 1 violation of ${rules} rules in 2 files`,
    ])
    expect(wordReport({ fileCount: 2, violations: [] })).toEqual([
      `tidy: no violations of ${rules} rules in 2 files`,
    ])
  })
})

describe('this repository', () => {
  it('is tidy', () => {
    const { fileCount, violations } = checkTree(join(import.meta.dirname, '..'))
    expect(violations).toEqual([])
    expect(fileCount).toBeGreaterThan(50)
  })
})
