/**
 * The command line with a network behind it: signing in by a pasted token and in the browser, the
 * read-only test, the trial, and finding after a restore what went out since the backup.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../src/cli/run.ts'
import { manners, FakeServer } from './connectors/mastodon/fake-server.ts'

const token = 'canary-token-of-the-account'
const account = 'mastodon/@anna@social.example'

let folder = ''
let server: FakeServer

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secondwind-cli-networks-'))
  server = await FakeServer.start({ manner: manners.mastodon, now: Date.now, token })
})

afterEach(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

interface Result {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** `hear` is told of everything that is said to the person, as it is said. */
async function call(words: readonly string[], hear: (text: string) => void = () => {}) {
  let stdout = ''
  let stderr = ''
  const exitCode = await run(words, {
    stdout: { columns: 80, write: (text) => (stdout += text) },
    stderr: {
      write: (text) => {
        stderr += text
        hear(text)
      },
    },
    stdin: {},
    env: { HOME: folder, SECONDWIND_ALLOW_HOSTS: new URL(server.url).host },
    cwd: () => folder,
  })
  const result: Result = { exitCode, stdout, stderr }
  expect(stdout + stderr).not.toContain('canary')
  return result
}

const pasted = () => ['--set', `server=${server.url}`, '--set', `accessToken=${token}`]
const byToken = () => ['mastodon', '--sign-in', 'token', ...pasted()]
const add = () => call(['accounts', 'add', ...byToken()])

describe('signing in', () => {
  test('with a pasted token connects the account, which can be read then', async () => {
    expect(await add()).toMatchObject({
      exitCode: 0,
      stdout: `Added ${account}, asking before it acts.\n`,
    })
    const tested = await call(['accounts', 'test', account])
    expect(tested.stdout).toBe(`${account} can be read, as @anna@social.example.\n`)
    expect(server.requests.filter((line) => !line.startsWith('GET'))).toEqual([])
  })

  test('by init, all of it by flags and without a terminal', async () => {
    const { exitCode, stdout } = await call(['init', ...byToken(), '--mode', 'watch'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`${account} is connected and can be read.`)
    expect(stdout).toContain('mode: watch')
    expect(stdout).toContain('says what it would do')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('names what is missing where nobody can be asked, and what is wrong', async () => {
    const missing = await call(['accounts', 'add', 'mastodon', '--sign-in', 'token'])
    expect(missing.exitCode).toBe(2)
    expect(missing.stderr).toContain('--set server=… is missing')
    server.tokens.clear()
    const refused = await add()
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('accessToken: the server does not accept it')
  })

  test('in the browser waits on this machine until it comes back', async () => {
    server.tokenAnswer = () => ({
      status: 200,
      body: { access_token: token, token_type: 'Bearer' },
    })
    const visits: Promise<string>[] = []
    // What a person does: opens the address that is said, agrees, and is sent back.
    const browse = (text: string) => {
      const shown = URL.parse(/^ +(http\S+)$/m.exec(text)?.[1] ?? '')
      if (shown === null) return
      const back = new URL(shown.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'code-1')
      back.searchParams.set('state', shown.searchParams.get('state') ?? '')
      visits.push(fetch(back).then((page) => page.text()))
    }
    const words = ['accounts', 'add', 'mastodon', '--sign-in', 'browser']
    const added = await call([...words, '--set', `server=${server.url}`, '--mode', 'watch'], browse)
    expect(added).toMatchObject({ exitCode: 0, stdout: `Added ${account}, watching only.\n` })
    expect(await visits[0]).toContain('Go back to the terminal')
  })

  test('is only told by a dry run', async () => {
    for (const words of [['accounts', 'add'], ['init']]) {
      const { stdout } = await call([...words, ...byToken(), '--dry-run'])
      expect(stdout).toBe('Would sign in to Mastodon: Paste an access token.\n')
    }
    const external = await call(['accounts', 'add', '--external', 'shop', '--dry-run'])
    expect(external.stdout).toBe('Would add shop, whose counters are pushed.\n')
    expect(server.requests).toEqual([])
    expect((await call(['accounts', 'list'])).stdout).toContain('No account yet.')
  })
})

describe('a trial', () => {
  test('says what it does, wants a yes, and keeps what it found', async () => {
    await add()
    const before = server.requests.length
    const unasked = await call(['accounts', 'prove', account])
    expect(unasked.exitCode).toBe(2)
    expect(unasked.stderr).toContain('whether the server recognises a post that is sent twice')
    expect(unasked.stderr).toContain('Add --yes')
    const dry = await call(['accounts', 'prove', account, '--dry-run'])
    expect(dry.stdout).toContain('Would find out whether')
    expect(server.requests).toHaveLength(before)
    const proven = await call(['accounts', 'prove', account, '--yes'])
    expect(proven).toMatchObject({ exitCode: 0 })
    // This server knows nothing of keys.
    expect(proven.stdout).toContain('replies stay class B')
    expect(server.requests.some((line) => line.startsWith('DELETE'))).toBe(true)
    expect(server.statuses.count).toBe(0)
    const said = dry.stdout + proven.stdout + proven.stderr
    expect(said.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('as JSON is data alone', async () => {
    await add()
    const { stdout } = await call(['accounts', 'prove', account, '--yes', '--json', '--quiet'])
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'ok', leftOver: [] })
  })

  test('that fails says so', async () => {
    await add()
    server.tokens.clear()
    const { exitCode, stdout, stderr } = await call(['accounts', 'prove', account, '--yes'])
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Nothing was found out')
  })

  test('is none where reading shows everything', async () => {
    await call(['accounts', 'add', '--external', 'shop'])
    const { exitCode, stderr } = await call(['accounts', 'prove', 'shop', '--yes'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('nothing to try out')
  })
})

describe('after a restore', () => {
  const restored = () => ['--database', join(folder, 'restored.db')]

  test('what went out since is found, and the pause lifted', async () => {
    await add()
    expect((await call(['db', 'match'])).stdout).toBe('No account is paused by a restore.\n')
    const copy = join(folder, 'copy.db')
    await call(['db', 'backup', copy])
    const post = server.statuses.add({ status: 'A post' })
    const reply = server.statuses.add({ status: 'And you?', in_reply_to_id: post.id })
    const { stdout } = await call(['db', 'restore', copy, ...restored()])
    expect(stdout).toContain('secondwind db match')
    const dry = await call(['db', 'match', '--dry-run', ...restored()])
    expect(dry.stdout).toBe(`Would read the timelines of ${account}.\n`)
    const matched = await call(['db', 'match', ...restored()])
    expect(matched.exitCode).toBe(0)
    expect(matched.stdout).toContain(`${account}: read 1 post. Its pause is lifted.`)
    expect(matched.stdout).toContain(reply.id)
    expect((await call(['db', 'status', ...restored()])).stdout).toContain('Pauses:   none')
  })

  test('the pause stays where the network cannot be read', async () => {
    await add()
    const copy = join(folder, 'copy.db')
    await call(['db', 'backup', copy])
    await call(['db', 'restore', copy, ...restored()])
    server.tokens.clear()
    const { exitCode, stdout, stderr } = await call(['db', 'match', ...restored()])
    expect(exitCode).toBe(75)
    expect(stdout).toContain('cannot be read')
    expect(stderr).toContain('its pause stays')
    const status = await call(['db', 'status', ...restored()])
    expect(status.stdout).toContain('restored from a backup')
  })

  test('by other tools it is said, and the time of the backup given', async () => {
    await add()
    const said = await call(['db', 'restored', '--yes'])
    expect(said.stdout).toContain('Paused 1 account.')
    const unsaid = await call(['db', 'match'])
    expect(unsaid.exitCode).toBe(2)
    expect(unsaid.stderr).toContain('since: is missing')
    const matched = await call(['db', 'match', '--since', '2h', '--account', account])
    expect(matched.stdout).toContain('Its pause is lifted.')
  })
})
