/** Packs the package as npm would publish it, installs it elsewhere and uses it from there. */

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const repository = join(import.meta.dirname, '..')
const maximumBytes = 2 * 1024 * 1024

const manifestSchema = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
  scripts: z.record(z.string(), z.string()),
})

/** The entry points that hold code, as `.` and `./name`. */
const entries = Object.keys(readManifest(repository).exports).filter(
  (entry) => entry !== './package.json',
)

/** Strict, and without `skipLibCheck`: the package's own declarations are checked as well. */
const consumerConfig = {
  compilerOptions: {
    target: 'esnext',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    // A program for Node has Node's own declarations.
    types: ['node'],
    typeRoots: [join(repository, 'node_modules', '@types')],
  },
  files: ['consumer.ts'],
}

const consumer = `
import { decide, everythingSupported, explain, noPast, standardPolicy } from 'secondwind'
import type { DecisionInput, Verdict } from 'secondwind'

const input: DecisionInput = {
  post: { id: 'p1', publishedAt: 0, neverTouch: false },
  timeZone: 'UTC',
  capabilities: everythingSupported,
  samples: [{ at: 0, impressions: null, engagements: 1 }],
  ...noPast,
  policy: standardPolicy,
  now: 60_000,
}
const verdict: Verdict = decide(input)
export const sentence: string = explain(verdict)

// @ts-expect-error A verdict is not a sentence: were the types missing, this would pass.
export const wrong: string = decide(input)
`

let workshop = ''
let home = ''
let installed = ''
let tarball = ''

beforeAll(() => {
  workshop = mkdtempSync(join(tmpdir(), 'secondwind-pack-'))
  tarball = pack()
  home = join(workshop, 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const quickly = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  run('npm', ['install', tarball, ...quickly])
  installed = join(home, 'node_modules', 'secondwind')
}, 60_000)

afterAll(() => rmSync(workshop, { recursive: true, force: true }))

/** Builds in a copy: another test, or a person, may be using the repository's own dist. */
function pack(): string {
  const copy = join(workshop, 'copy')
  const left = new Set(['dist', 'coverage', '.git'])
  cpSync(repository, copy, {
    recursive: true,
    filter: (path) => {
      const parts = relative(repository, path).split(sep)
      // The live tests and the site have packages of their own, which are large.
      return !left.has(parts[0] ?? '') && !parts.includes('node_modules')
    },
  })
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'))
  run('npm', ['pack', '--pack-destination', workshop], copy)
  const name = readdirSync(workshop).find((entry) => entry.endsWith('.tgz'))
  if (name === undefined) throw new Error('npm pack left no tarball')
  return join(workshop, name)
}

/** Runs a command with the Node that runs the tests, and gives what it printed. */
function run(command: string, parameters: readonly string[], cwd = home): string {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`
  const env = { ...process.env, PATH }
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd, env, encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`${command} ${parameters.join(' ')} failed:\n${stdout}${stderr}`)
}

function toolOf(name: string): string {
  return join(repository, 'node_modules', '.bin', name)
}

function readManifest(folder: string) {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
}

/** What an entry point is to give, by its source. */
async function namesInSource(entry: string): Promise<readonly string[]> {
  const source = pathToFileURL(join(repository, 'src', entry, 'index.ts'))
  return Object.keys((await import(source.href)) as object).sort()
}

function specifierOf(entry: string): string {
  return entry.replace('.', 'secondwind')
}

describe('the packed package', () => {
  it.each(entries)('gives at %s what its source gives', async (entry) => {
    const names = await namesInSource(entry)
    const module = `await import('${specifierOf(entry)}')`
    const program = `console.log(JSON.stringify(Object.keys(${module})))`
    const answer = run(process.execPath, ['--input-type=module', '--eval', program])
    expect(z.array(z.string()).parse(JSON.parse(answer)).sort()).toEqual(names)
    expect(names).not.toEqual([])
  })

  it('is known by its decision, and its classic face by its executor', async () => {
    expect(await namesInSource('.')).toContain('decide')
    expect(await namesInSource('./classic')).toContain('SelfHealingExecutor')
  })

  it('has declarations for every entry point', () => {
    const { exports } = readManifest(installed)
    for (const entry of entries) {
      const { types = '' } = z.record(z.string(), z.string()).parse(exports[entry])
      expect(types).toMatch(/\.d\.ts$/)
      expect(existsSync(join(installed, types))).toBe(true)
    }
  })

  it('type-checks in a strict program of its own', async () => {
    const uses = entries.map(async (entry, index) => {
      const [name] = await namesInSource(entry)
      return `export { ${name} as entry${index} } from '${specifierOf(entry)}'`
    })
    writeFileSync(join(home, 'consumer.ts'), [...(await Promise.all(uses)), consumer].join('\n'))
    writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(consumerConfig))
    const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc')
    expect(run(process.execPath, [compiler, '-p', home])).toBe('')
  })

  it('has types that every way of resolving modules finds', () => {
    // Old ways, which know no `exports`, and `require` without a dynamic import are not served.
    const options = ['--profile', 'esm-only', '--no-color', '--no-emoji']
    const table = run(toolOf('attw'), [tarball, ...options])
    for (const entry of entries) expect(table).toContain(`"${specifierOf(entry)}"`)
  })

  it('has a manifest without a fault', () => {
    expect(run(toolOf('publint'), ['run', tarball, '--strict'])).toContain('All good!')
  })

  it('holds what runs and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(installed, join(entry.parentPath, entry.name)))
    expect(files).toContain(join('dist', 'index.js'))
    expect(files).toContain('LICENSE')
    expect(files.filter((path) => /(?<!\.d)\.tsx?$/.test(path))).toEqual([])
    expect(files.filter((path) => /\.test\.|fixtures|^(src|test|scripts)\b/.test(path))).toEqual([])
  })

  it('is small', () => {
    expect(statSync(tarball).size).toBeLessThan(maximumBytes)
  })

  it('runs nothing when it is installed', () => {
    const names = Object.keys(readManifest(installed).scripts)
    expect(names.filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
    expect(existsSync(join(installed, 'binding.gyp'))).toBe(false)
  })
})
