/** Runs `backtest` as a person would, on files of made-up posts, good and bad. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { standardPolicy } from '../src/index.ts'

const program = join(import.meta.dirname, '..', 'src', 'cli', 'main.ts')
const folder = mkdtempSync(join(tmpdir(), 'secondwind-backtest-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    cwd: folder,
  })
  return { status, stdout, stderr }
}

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const slices = Array.from({ length: 144 }, (_, index) => index + 1)

/** 40 posts of which one in four dies in its first minutes. */
const header = ['id', ...slices.map((slice) => `TS${slice}`)].join(',')
const lines = Array.from({ length: 40 }, (_, post) => {
  const isDead = post % 4 === 3
  const counts = slices.map((slice) =>
    isDead ? 1 : Math.floor((10 + (post % 9)) * Math.log2(1 + slice / 3)),
  )
  return [`post-${post}`, ...counts].join(',')
})
const csv = `${[header, ...lines].join('\n')}\n`
const good = write('good.csv', csv)

const reportSchema = z.object({
  policy: z.string(),
  posts: z.number(),
  actions: z.number(),
  stagnantReached: z.object({ count: z.number(), of: z.number() }),
  outcomes: z.array(
    z.object({
      id: z.string(),
      actions: z.array(z.object({ ageMs: z.number(), action: z.string() })),
    }),
  ),
})
const outputSchema = z.object({
  reports: z.array(reportSchema),
  comparison: z.object({ first: z.string(), second: z.string() }).nullable(),
})

describe('secondwind backtest', () => {
  it('tells what the standard policy would have done, on stdout alone', () => {
    const { status, stdout, stderr } = run('backtest', good)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('standard@1: 40 posts')
    expect(stdout).toMatch(/recall +\d+ % \(\d+ of \d+\) of those stagnant at 1 h/)
    expect(stdout).not.toContain('side by side')
  })

  it('gives the same as one JSON object, post by post', () => {
    const { status, stdout } = run('backtest', good, '--json')
    expect(status).toBe(0)
    const { reports, comparison } = outputSchema.parse(JSON.parse(stdout))
    expect(comparison).toBeNull()
    expect(reports.map(({ policy, posts }) => ({ policy, posts }))).toEqual([
      { policy: 'standard@1', posts: 40 },
    ])
    const acted = reports[0]?.outcomes.filter(({ actions }) => actions.length > 0) ?? []
    expect(acted.length).toBeGreaterThan(0)
    const { count, of } = reports[0]?.stagnantReached ?? { count: -1, of: 0 }
    expect(count).toBe(of)
    expect(acted.some(({ id }) => id === 'post-39')).toBe(true)
  })

  it('holds two policies side by side', () => {
    const { status, stdout } = run('backtest', good, '--compare', 'classic')
    expect(status).toBe(0)
    expect(stdout).toContain('standard@1 and classic@1 side by side')
    const { comparison } = outputSchema.parse(
      JSON.parse(
        run('backtest', good, '--policy', 'classic', '--compare', 'standard', '--json').stdout,
      ),
    )
    expect(comparison).toMatchObject({ first: 'classic@1', second: 'standard@1' })
  })

  it('takes a policy from a file, and names its field where it is wrong', () => {
    const bold = {
      ...standardPolicy,
      name: 'bold',
      looks: { ...standardPolicy.looks, required: 1 },
    }
    const path = write('bold.json', JSON.stringify(bold))
    expect(run('backtest', good, '--policy', path).stdout).toContain('bold@1: 40 posts')
    const bad = write('bad-policy.json', JSON.stringify({ ...bold, version: 0 }))
    const { status, stderr } = run('backtest', good, '--policy', bad)
    expect(status).toBe(2)
    expect(stderr).toContain('policy.version')
  })

  it('reads all files of a folder, packed and JSON ones too', () => {
    const sub = join(folder, 'several')
    mkdirSync(sub)
    writeFileSync(join(sub, 'a.csv.gz'), gzipSync(csv))
    const samples = [{ at: '2026-01-01T12:20:00Z', engagements: 3, impressions: 120 }]
    const post = { id: 'x', publishedAt: '2026-01-01T12:00:00Z', samples }
    writeFileSync(join(sub, 'b.json'), JSON.stringify([post]))
    writeFileSync(join(sub, 'readme.txt'), 'not a recording')
    expect(run('backtest', sub).stdout).toContain('standard@1: 41 posts')
  })
})

describe('secondwind backtest on what cannot be used', () => {
  const [first = '', ...rest] = lines

  it.each([
    [
      'a count that is none',
      `${header}\n${first}\npost-1,many${',1'.repeat(143)}\n`,
      'csv',
      'bad, line 3, TS1: "many" is not a count',
    ],
    ['a file of something else', 'name,age\nann,3\n', 'csv', 'bad, line 1: names no column TS1'],
    ['a file without posts', `${header}\n`, 'csv', 'bad: holds no post'],
    ['half a JSON file', '[{"id":', 'json', 'bad: is not JSON'],
    ['JSON that is no list', '{}', 'json', 'bad: must be a list of posts'],
    ['a post without a time', '[{"id":"x","samples":[]}]', 'json', 'bad[0].publishedAt'],
    ['a packed file that is none', rest.join('\n'), 'csv.gz', 'cannot be unpacked'],
  ])('says which field it is: %s', (_, content, ending, message) => {
    const { status, stdout, stderr } = run('backtest', write(`bad.${ending}`, content))
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  })

  it('says that there is no such file, and what a recording is called', () => {
    expect(run('backtest', 'nowhere.csv')).toMatchObject({ status: 2, stdout: '' })
    expect(run('backtest', 'nowhere.csv').stderr).toContain('no such file or folder')
    expect(run('backtest', write('notes.txt', 'hello')).stderr).toContain('must end in .csv, .json')
    mkdirSync(join(folder, 'bare'))
    expect(run('backtest', join(folder, 'bare')).stderr).toContain('holds no recording')
    expect(run('backtest', good, '--policy', 'mild').stderr).toContain(
      'neither standard nor classic',
    )
  })
})

describe('secondwind called in a wrong way', () => {
  it.each([
    ['no command', []],
    ['an unknown command', ['dance']],
    ['no file', ['backtest']],
    ['two files', ['backtest', good, good]],
    ['an unknown option', ['backtest', good, '--fast']],
    ['a zone that is none', ['backtest', good, '--zone', 'Atlantis']],
  ])('ends with 2 and says how to go on: %s', (_, words) => {
    const { status, stdout, stderr } = run(...words)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/usage:|Try secondwind (backtest )?--help/)
  })

  it('helps on stdout when asked', () => {
    expect(run('--help')).toMatchObject({ status: 0, stderr: '' })
    expect(run('--help').stdout).toContain('replay a policy over recorded posts')
    expect(run('backtest', '--help').stdout).toContain('backtest <file|folder>')
    expect(run('backtest', '--help').stdout).toContain('TS1…TS144')
  })
})
