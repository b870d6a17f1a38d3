/** Which value wins, where it came from, and what is said of mistakes. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '../core/secret.ts'
import { fieldNames, flagOf, variableOf } from './fields.ts'
import { loadConfig, requireConfig } from './load-config.ts'
import type { ConfigRequest, LoadedConfig } from './load-config.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function request(change: Partial<ConfigRequest> = {}): ConfigRequest {
  return { flags: {}, env: {}, file: null, folder, home: join(folder, 'home'), ...change }
}

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function fromOf(loaded: LoadedConfig, name: string): string | undefined {
  return loaded.settings.find((setting) => setting.name === name)?.from
}

describe('with nothing said', () => {
  test('defaults are safe: only this machine, and a person approves', async () => {
    const { config, problems, file } = await loadConfig(request())
    expect(config).toMatchObject({ host: '127.0.0.1', mode: 'approve', allowHosts: [], key: null })
    expect(problems).toEqual([])
    expect(file).toBeNull()
  })

  test('things are kept where the desktop standard says', async () => {
    const env = { XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: 'relative' }
    const { config } = await loadConfig(request({ env }))
    expect(config.database).toBe('/data/secondwind/ledger.db')
    expect(config.keyFile).toBe(join(folder, 'home/.config/secondwind/key'))
  })
})

describe('the order', () => {
  test('a flag before the environment, that before the file, that before the default', async () => {
    const path = write('secondwind.config.json', '{ "port": 1, "host": "::1", "tone": "warm" }')
    const loaded = await loadConfig(
      request({ flags: { port: '3' }, env: { SECONDWIND_PORT: '2', SECONDWIND_HOST: 'a' } }),
    )
    expect(loaded.config).toMatchObject({ port: 3, host: 'a', tone: 'warm', mode: 'approve' })
    expect(fromOf(loaded, 'port')).toBe('--port')
    expect(fromOf(loaded, 'host')).toBe('SECONDWIND_HOST')
    expect(fromOf(loaded, 'tone')).toBe(path)
    expect(fromOf(loaded, 'mode')).toBe('default')
  })

  test('a file in this folder comes before one in the owner’s own', async () => {
    mkdirSync(join(folder, 'home/.config/secondwind'), { recursive: true })
    write('home/.config/secondwind/secondwind.config.json', '{ "port": 1 }')
    expect((await loadConfig(request())).config.port).toBe(1)
    write('secondwind.config.json', '{ "port": 2 }')
    expect((await loadConfig(request())).config.port).toBe(2)
  })
})

describe('a file', () => {
  test.each([
    ['secondwind.config.ts', "export default { mode: 'watch' as const, allowHosts: ['a'] }"],
    ['secondwind.config.mjs', "export default { mode: 'watch', allowHosts: ['a'] }"],
    ['secondwind.config.yaml', 'mode: watch\nallowHosts: [a]\n'],
    ['secondwind.config.json', '{ "mode": "watch", "allowHosts": ["a"] }'],
  ])('%s is read', async (name, text) => {
    write(name, text)
    const { config, problems } = await loadConfig(request())
    expect(problems).toEqual([])
    expect(config).toMatchObject({ mode: 'watch', allowHosts: ['a'] })
  })

  test.each([
    ['secondwind.config.json', '{', /secondwind\.config\.json cannot be read/],
    ['secondwind.config.yaml', 'a: [', /secondwind\.config\.yaml cannot be read/],
    ['secondwind.config.json', '[]', /must hold one object/],
    ['secondwind.config.mjs', 'export const a = 1', /must hold one object/],
    ['secondwind.config.json', '{ "prot": 1 }', /^prot: unknown field.*did you mean port\?/],
    ['secondwind.config.json', '{ "mode": "yolo" }', /^mode: .*watch.*approve.*auto/],
    ['secondwind.config.json', '{ "port": 70000 }', /^port: /],
    ['secondwind.config.json', '{ "timeZone": "Mars" }', /^timeZone: .*Europe\/Paris/],
  ])('%s with %j is refused with words that help', async (name, text, words) => {
    write(name, text)
    await expect(requireConfig(request())).rejects.toThrow(words)
  })

  test('is missed where it was named and is not there', async () => {
    await expect(requireConfig(request({ file: 'no.yaml' }))).rejects.toThrow(/there is no file/)
  })

  test('in two forms is one too many', async () => {
    write('secondwind.config.json', '{}')
    write('secondwind.config.yaml', '')
    await expect(requireConfig(request())).rejects.toThrow(/keep one of them/)
  })
})

describe('the environment', () => {
  test('every field has a variable and a flag of its own', () => {
    expect(variableOf('publicUrl')).toBe('SECONDWIND_PUBLIC_URL')
    expect(flagOf('publicUrl')).toBe('--public-url')
    expect(new Set(fieldNames.map(variableOf)).size).toBe(fieldNames.length)
  })

  test('lists are separated by commas', async () => {
    const { config } = await loadConfig(request({ env: { SECONDWIND_ALLOW_HOSTS: 'a, b:1,' } }))
    expect(config.allowHosts).toEqual(['a', 'b:1'])
  })

  test('a secret may come from a file, and is shown nowhere', async () => {
    const path = write('password', 'canary-123\n')
    const loaded = await loadConfig(request({ env: { SECONDWIND_PASSWORD_FILE: path } }))
    expect(loaded.config.password).toBeInstanceOf(Secret)
    expect(loaded.config.password?.reveal()).toBe('canary-123')
    expect(JSON.stringify(loaded)).not.toContain('canary-123')
  })

  test('the password of a database is not shown', async () => {
    const env = { SECONDWIND_DATABASE: 'postgres://ann:canary@db/secondwind' }
    const { settings, config } = await loadConfig(request({ env }))
    expect(JSON.stringify(settings)).not.toContain('canary')
    expect(config.database).toContain('canary')
  })

  test.each([
    [{ SECONDWIND_PORT: 'x' }, /^SECONDWIND_PORT: must be a number/],
    [{ SECONDWIND_PORT: '' }, /^SECONDWIND_PORT: must be a number/],
    [{ SECONDWIND_TRUST_PROXY: 'maybe' }, /^SECONDWIND_TRUST_PROXY: must be true or false/],
    [
      { SECONDWIND_PROT: '1' },
      /^SECONDWIND_PROT: unknown variable; did you mean SECONDWIND_PORT\?/,
    ],
    [{ SECONDWIND_PASSWORD: 'a', SECONDWIND_PASSWORD_FILE: 'b' }, /both set/],
    [{ SECONDWIND_PASSWORD_FILE: '/nowhere' }, /^SECONDWIND_PASSWORD_FILE: .*cannot be read/],
    [{ SECONDWIND_POLICIES: 'x' }, /must be JSON/],
  ])('%j is refused with words that help', async (env, words) => {
    await expect(requireConfig(request({ env }))).rejects.toThrow(words)
  })

  test('all problems are told together, and the rest is decided as ever', async () => {
    const env = { SECONDWIND_PORT: 'x', SECONDWIND_MODE: 'y', SECONDWIND_HOST: '::1' }
    const { problems, config } = await loadConfig(request({ env }))
    expect(problems.map(({ field }) => field)).toEqual(['SECONDWIND_PORT', 'SECONDWIND_MODE'])
    expect(config).toMatchObject({ host: '::1', port: 8737, mode: 'approve' })
  })
})
