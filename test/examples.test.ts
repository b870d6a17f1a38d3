/** The examples are run as they stand, each in a process of its own and an empty folder. */

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { standardPolicy } from '../src/core/policies/standard.ts'
import { openMemoryLedger } from '../src/ledger/open-ledger.ts'
import { createConnectorTools } from '../src/platform/connectors.ts'
import { listen } from '../src/server/listen.ts'
import { createServer } from '../src/server/server.ts'
import type { Server } from '../src/server/server.ts'
import { systemClock as clock, systemRandom as random } from '../src/system.ts'
import { Vault, VaultKey } from '../src/vault/index.ts'
import { World } from './server/world.ts'

const examples = join(import.meta.dirname, '..', 'examples')
const imports = pathToFileURL(join(import.meta.dirname, 'examples', 'package-imports.ts')).href
const execute = promisify(execFile)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secondwind-example-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function runNode(path: string, env: Readonly<Record<string, string>> = {}) {
  return run(process.execPath, ['--import', imports, join(examples, path)], env)
}

async function run(
  command: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const { PATH = '' } = process.env
  const { stdout } = await execute(command, words, { cwd: folder, env: { PATH, ...env } })
  return stdout
}

/** An empty installation on the machine's clock, as `secondwind serve --no-worker` has it. */
async function openEmptyServer(): Promise<Server> {
  const ledger = openMemoryLedger(clock)
  await ledger.savePolicy(standardPolicy)
  const note = () => {}
  return createServer({
    ledger,
    ledgerKind: 'memory',
    clock,
    random,
    platforms: [],
    connectors: [],
    tools: createConnectorTools({ allowHosts: [], clock, random }),
    vault: new Vault({ current: VaultKey.parse(VaultKey.make(), 'key'), older: [] }),
    engineHealth: () => null,
    mode: 'live',
    log: { info: note, warn: note, error: note },
    version: '0.0.0-test',
    webFolder: null,
  })
}

describe('the examples', () => {
  test('library-only: a post stalls, and one thread is sent', async () => {
    const output = await runNode('library-only.ts')
    expect(output).toContain("from: 'planned', to: 'running'")
    expect(output).toContain("from: 'running', to: 'success'")
    expect(output.match(/action_planned/g)).toHaveLength(1)
    expect(output.match(/^reply: /gm)).toHaveLength(3)
  })

  test('custom-connector: all cases of the kit hold', async () => {
    const output = await runNode('custom-connector/prove.ts')
    const [, held, all] = /^(\d+) of (\d+) cases hold\.$/m.exec(output) ?? []
    expect(held).toBe(all)
    expect(Number(all)).toBeGreaterThan(80)
  })

  test('classic: a plan, and none for the same key afterwards', async () => {
    const output = await runNode('classic.ts')
    expect(output).toMatch(/eligible: true[^]*reason: 'duplicate_action'/)
    expect(readFileSync(join(folder, 'history.json'), 'utf8')).toContain('"replyId"')
  })

  test('push-metrics: readings go in, a verdict comes back; the second time as well', async () => {
    await using server = await openEmptyServer()
    await using listening = await listen(server, { port: 0, clock })
    const wish = { name: 'example', scope: 'admin', accountIds: null, expiresAt: null } as const
    const token = (await server.addToken(wish)).reveal()
    const env = { SECONDWIND_SERVER: listening.url, SECONDWIND_TOKEN: token }
    for (const _ of ['first', 'second']) {
      const output = await runNode('push-metrics.ts', env)
      expect(output).toMatch(/^5 readings are new\.\nhold: Stalled/)
    }
  })

  test('python-client: lists what waits, and decides', async () => {
    const world = await World.open()
    const { id, text } = await world.awaiting()
    await using listening = await listen(world.server, { port: 0, clock })
    const token = await world.token('approve')
    const env = { SECONDWIND_SERVER: listening.url, SECONDWIND_TOKEN: token }
    const client = join(examples, 'python-client.py')
    const list = await run('python3', [client], env)
    expect(list).toContain(`comment ${id} for ann`)
    expect(list).toContain(text)
    expect(await run('python3', [client, 'approve', id], env)).toBe(`${id} is approved.\n`)
    expect(await run('python3', [client], env)).not.toContain(id)
    const wrong = run('python3', [client], { ...env, SECONDWIND_TOKEN: 'wrong' })
    await expect(wrong).rejects.toThrow(/401/)
  })

  test('each is named in the list of examples', () => {
    const list = readFileSync(join(examples, 'README.md'), 'utf8')
    const shown = readdirSync(examples).filter((name) => !/^(README|tsconfig|\.)/.test(name))
    expect(shown.length).toBeGreaterThan(4)
    for (const name of shown) expect(list).toContain(`(${name}`)
  })
})
