/** The command line as people and scripts use it: words in, data, talk and an exit code out. */

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCommands } from '../src/cli/commands.ts'
import { run } from '../src/cli/run.ts'
import { standardPolicy } from '../src/core/policies/standard.ts'
import { Secret } from '../src/core/secret.ts'
import { createTemplateContent } from '../src/content/index.ts'
import { createEngine } from '../src/engine/engine.ts'
import { openSqliteLedger } from '../src/ledger/open-ledger.ts'
import { toAccountId, toPostId } from '../src/core/ids.ts'
import { seededRandom, simulateNetwork } from '../src/platform/simulated/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'secondwind-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Result {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

async function call(...words: readonly string[]): Promise<Result> {
  return callWith({}, ...words)
}

async function callWith(
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Result> {
  let stdout = ''
  let stderr = ''
  const exitCode = await run(words, {
    stdout: { columns: 80, write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    stdin: {},
    env: { HOME: folder, ...env },
    cwd: () => folder,
  })
  return { exitCode, stdout, stderr }
}

async function json<Value>(...words: readonly string[]): Promise<Value> {
  const { stdout, stderr, exitCode } = await call(...words, '--json')
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  return JSON.parse(stdout) as Value
}

function write(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('finding the command', () => {
  test('without a word it says what there is, on stderr, and fails', async () => {
    const { exitCode, stdout, stderr } = await call()
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    for (const { name } of allCommands) expect(stderr).toContain(`  ${name} `)
    expect(stderr.split('\n').every((line) => line.length <= 80)).toBe(true)
  })

  test('help is data', async () => {
    expect(await call('--help')).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await call('help', 'posts', 'list')).stdout).toContain('--verdict')
  })

  test.each(allCommands.map(({ name }) => name))('%s --help fits 80 columns', async (name) => {
    const { exitCode, stdout } = await call(name, '--help')
    expect(exitCode).toBe(0)
    expect(stdout).not.toBe('')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test.each([
    [['frobnicate'], /There is no command frobnicate/],
    [['post'], /Did you mean posts\?/],
    [['posts', 'lst'], /Did you mean list\?/],
    [['posts', 'list', '--staus', 'x'], /--staus/],
    [['posts', 'list', '--status', 'x'], /watched, closed, gone/],
    [['posts'], /subcommand is missing/],
    [['posts', 'show'], /missing required argument 'post'/],
    [['--json', 'posts'], /stand after the command/],
  ])('%j is a wrong call', async (words, message) => {
    const { exitCode, stdout, stderr } = await call(...words)
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(message)
  })

  test('--version is the package’s', async () => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'),
    ) as { readonly version: string }
    expect(await call('--version')).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' })
  })
})

describe('without a ledger', () => {
  const samples = Array.from({ length: 8 }, (_, index) => ({
    at: new Date(Date.UTC(2026, 0, 5, 12, index * 15)).toISOString(),
    impressions: 1000 + index * 400,
    engagements: 2,
  }))
  const question = {
    post: { id: 'a', publishedAt: '2026-01-05T10:30:00Z' },
    samples,
    now: '2026-01-05T13:50:00Z',
  }

  test('evaluate --file decides and says why', async () => {
    const path = write('metrics.json', question)
    const { exitCode, stdout } = await call('evaluate', '--file', path, '--explain')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/Stalled \(tier_3\)/)
    expect(stdout).toMatch(/look 1 of the 3 in a row/)
  })

  test('evaluate --file speaks the classic form as well', async () => {
    const metrics = samples.map(({ at, impressions, engagements }) => ({
      timestamp: at,
      impressions,
      engagements,
    }))
    const path = write('classic.json', { post_id: 'p', metrics, now: '2026-01-05T13:50:00Z' })
    const result = await json<object>('evaluate', '--file', path)
    expect(result).toMatchObject({ post_id: 'p', eligible: true, tier: 'tier_3' })
  })

  test.each([
    ['{', /is not JSON/],
    ['[]', /expected object, received array/],
    [JSON.stringify({ ...question, samples: [{ at: 'x', engagements: 1 }] }), /samples/],
  ])('evaluate --file with %j names what is wrong', async (content, message) => {
    const { exitCode, stderr } = await call('evaluate', '--file', write('bad.json', content))
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('openapi and completion print what tools read', async () => {
    const document = await json<{ readonly openapi: string; readonly paths: object }>('openapi')
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/api/v1/posts')
    const { stdout } = await call('completion', 'bash')
    expect(stdout).toContain("'posts list')")
    expect(stdout).toContain('complete -o default -F _secondwind secondwind')
    expect((await call('completion', 'tcsh')).exitCode).toBe(2)
  })

  test('policy validate names the field', async () => {
    const good = write('policy.json', { ...standardPolicy, name: 'mine' })
    expect((await call('policy', 'validate', good)).stdout).toBe('mine@1 is valid.\n')
    const bad = write('bad-policy.json', { ...standardPolicy, looks: { required: 0 } })
    const { exitCode, stderr } = await call('policy', 'validate', bad)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('policy.looks')
  })
})

describe('doctor', () => {
  test('shows where each value came from, and fails where one is wrong', async () => {
    const env = { SECONDWIND_PORT: '9000', SECONDWIND_PASSWORD: 'canary-secret-123' }
    const { exitCode, stdout } = await callWith(env, 'doctor')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/port +9000 +SECONDWIND_PORT/)
    expect(stdout).not.toContain('canary')
    const broken = await callWith({ SECONDWIND_PORT: 'x', SECONDWIND_PROT: '1' }, 'doctor')
    expect(broken.exitCode).toBe(1)
    expect(broken.stdout).toContain('WRONG SECONDWIND_PORT: must be a number')
    expect(broken.stdout).toContain('did you mean SECONDWIND_PORT?')
  })
})

/** A night of an engine in auto mode, and then a morning in which a person is asked. */
describe('with a ledger that has a past', () => {
  const accountId = toAccountId('ann')
  let database = ''
  let now = Date.UTC(2026, 2, 2, 9)

  beforeAll(async () => {
    database = join(folder, '.local/share/secondwind/ledger.db')
    await call('db', 'migrate')
    const clock = {
      now: () => now,
      monotonicMs: () => now,
      sleep: (_: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          signal?.addEventListener('abort', () => resolve())
        }),
    }
    const stream = seededRandom('cli')
    let made = 0
    const random = {
      fraction: () => stream.fraction(),
      id: () => `${(made += 1).toString(16).padStart(4, '0')}aaaa-0000-4000-8000-000000000000`,
    }
    const forms = { purgedShare: 0, disputedShare: 0, totalSpread: 0 }
    const network = simulateNetwork({ profile: 'full', clock, random, forms, lateShare: 0 })
    network.world.addAccount({ handle: 'ann', credentials: 'secret', usualTotal: 400 })
    await using ledger = await openSqliteLedger({ path: database, clock })
    const rate = { multiplier: 20, minimumImpressions: 50, withoutImpressions: 'insufficient' }
    const policy = { ...standardPolicy, name: 'quick', detector: { detector: 'rate', ...rate } }
    await ledger.savePolicy(policy as typeof standardPolicy)
    await ledger.saveAccount({
      id: accountId,
      platform: network.platform.name,
      handle: 'ann',
      mode: 'approve',
      timeZone: 'UTC',
      policy: 'quick@1',
      holdoutShare: 0,
      credentials: null,
      profile: null,
      status: 'active',
      statusReason: null,
      createdAt: now,
      discoverAt: now,
    })
    network.world.publish('ann', { text: 'Nobody reads this one.', kind: 'stalled', total: 300 })
    network.world.publish('ann', { text: 'Nor that one, at all.', kind: 'stalled', total: 300 })
    const engine = createEngine({
      ledger,
      platforms: [network.platform],
      clock,
      random,
      openCredentials: () => new Secret('secret'),
      content: createTemplateContent(),
    })
    for (let turn = 0; turn < 18; turn += 1) {
      await engine.tick()
      now += 10 * 60_000
    }
  })

  interface Action {
    readonly id: string
    readonly state: string
    readonly text: string
  }

  test('what waits for a person is listed, shown and approved, bound to its text', async () => {
    const waiting = await json<readonly Action[]>('actions', 'list', '--state', 'awaiting_approval')
    expect(waiting).toHaveLength(2)
    const [first, second] = waiting
    const shown = await call('actions', 'show', first?.id ?? '')
    expect(shown.stdout).toContain('awaiting approval')
    expect(shown.stdout).toContain('guards passed')
    const unasked = await call('actions', 'approve', first?.id ?? '')
    expect(unasked.exitCode).toBe(2)
    expect(unasked.stderr).toContain('Add --yes')
    expect((await call('actions', 'approve', first?.id ?? '', '--yes')).exitCode).toBe(0)
    expect((await json<Action>('actions', 'show', first?.id ?? '')).state).toBe('approved')
    const rejected = await call('actions', 'reject', second?.id ?? '', '--reason', 'too soon')
    expect(rejected.stdout).toBe('Rejected 1 action.\n')
    const again = await call('actions', 'reject', first?.id ?? '')
    expect(again.exitCode).toBe(0)
    const late = await call('actions', 'approve', second?.id ?? '', '--yes')
    expect(late.exitCode).toBe(3)
  })

  test('posts are listed and shown as people read them', async () => {
    const { stdout } = await call('posts', 'list')
    expect(stdout).toContain('Nobody reads')
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
    const [post] = await json<readonly { readonly id: string }[]>('posts', 'list', '--limit', '1')
    const page = await call('posts', 'show', post?.id.slice(0, 8) ?? '')
    expect(page.stdout).toContain('●')
    expect(page.stdout).toMatch(/Stalled|Healthy/)
    expect(page.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    const none = await call('posts', 'show', 'zzzzzzzz')
    expect(none).toMatchObject({ exitCode: 1, stdout: '' })
  })

  test('never-touch, pause and resume do what they say, and say what they did', async () => {
    const [post] = await json<readonly { readonly id: string }[]>('posts', 'list', '--limit', '1')
    await call('posts', 'never-touch', post?.id ?? '')
    expect((await call('posts', 'list')).stdout).toContain('never touch')
    const paused = await call('pause', '--account', 'ann', '--reason', 'holiday', '--until', '2h')
    expect(paused.stdout).toMatch(/^Paused account ann until /)
    expect((await call('resume')).stderr).toContain('There is no pause of everything')
    expect((await call('resume', '--account', 'ann', '--dry-run')).stdout).toContain('Would')
    expect((await call('resume', '--account', 'ann')).stdout).toContain('Resumed account ann.')
    expect((await call('pause', '--account', 'an')).stderr).toContain('Did you mean ann?')
  })

  test('accounts can be changed, and acting alone needs a yes', async () => {
    const refused = await call('accounts', 'set', 'ann', '--mode', 'auto')
    expect(refused.exitCode).toBe(2)
    const changed = await call('accounts', 'set', 'ann', '--mode', 'watch', '--time-zone', 'UTC')
    expect(changed.stdout).toContain('mode watch')
    const bad = await call('accounts', 'set', 'ann', '--policy', 'nosuch@1')
    expect(bad.exitCode).toBe(2)
    expect(bad.stderr).toContain('nosuch@1')
  })

  test('everything can be taken out as CSV or JSON', async () => {
    const csv = await call('export', 'posts', '--format', 'csv')
    expect(csv.stdout.split('\n')[0]).toContain('publishedAt')
    const lines = (await call('export', 'actions')).stdout.trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toHaveProperty('key')
    expect((await call('export', 'secrets')).exitCode).toBe(2)
  })

  test('a ledger is backed up while in use, and restored where none is', async () => {
    const copy = join(folder, 'copy.db')
    expect((await call('db', 'backup', copy)).exitCode).toBe(0)
    expect(statSync(copy).size).toBeGreaterThan(0)
    const inTheWay = await call('db', 'restore', copy)
    expect(inTheWay.exitCode).toBe(3)
    const other = join(folder, 'other.db')
    const restored = await call('db', 'restore', copy, '--database', other)
    expect(restored.stdout).toContain('stays paused')
    const { stdout } = await call('db', 'status', '--database', other)
    expect(stdout).toContain('restored from a backup')
    expect((await call('db', 'verify')).stdout).toContain('The chain is whole.')
  })

  test('the history of a classic executor is taken over once', async () => {
    const path = write('history.json', [
      {
        idempotency_key: 'sheal_1',
        post_id: 'old-post',
        action_type: 'comment',
        tier: 'tier_1',
        initiated_at: '2026-01-01T00:00:00+00:00',
        status: 'success',
        attempts: 1,
      },
    ])
    const first = await call('import', path, '--account', 'ann')
    expect(first.stdout).toContain('Imported 1 record')
    expect((await call('import', path, '--account', 'ann')).stdout).toContain('Imported 0 records')
    const post = await openPost()
    expect(post).toMatchObject({ nextCheckAt: null })
  })

  async function openPost() {
    await using ledger = await openSqliteLedger({ path: database, clock: { now: () => now } })
    return ledger.getPost(toPostId('old-post'))
  }

  test('a ledger that is none is refused with words, and left as it is', async () => {
    const path = write(
      'not-a-ledger.db',
      'hello, this is a text and no database at all'.repeat(100),
    )
    const before = readFileSync(path)
    const { exitCode, stderr } = await call('posts', 'list', '--database', path)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('not-a-ledger.db')
    expect(readFileSync(path)).toEqual(before)
  })
})
