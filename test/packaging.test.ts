/** What a container engine or systemd would read; neither runs here, so the parts are compared. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { fieldNames, variableOf } from '../src/config/fields.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** As much of the Compose file's form as is used; what is not known is an error. */
const service = z.strictObject({
  build: z
    .strictObject({ context: z.literal('.'), args: z.record(z.string(), z.string()) })
    .optional(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  init: z.boolean().optional(),
  stop_grace_period: z.string().regex(/^\d+s$/),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.literal('service_healthy') }))
    .optional(),
  environment: z.record(z.string(), z.string()),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  volumes: z.array(z.string().regex(/^[a-z]+:\/[\w/-]+$/)),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()).min(2),
      interval: z.string(),
      timeout: z.string(),
      retries: z.int(),
    })
    .optional(),
  secrets: z.array(z.string()),
})
const composeFile = z.strictObject({
  name: z.string(),
  'x-secondwind': z.unknown(),
  'x-environment': z.unknown(),
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
})

describe('compose.yaml', () => {
  const compose = composeFile.parse(parse(read('compose.yaml'), { merge: true }))
  const services = Object.values(compose.services)

  test('has a server without an engine, workers and a database', () => {
    expect(Object.keys(compose.services)).toEqual(['app', 'worker', 'postgres'])
    expect(compose.services['app']?.command).toEqual(['serve', '--no-worker'])
    expect(compose.services['worker']?.command).toEqual(['worker'])
  })

  test('refers only to what it declares', () => {
    for (const { secrets, volumes, depends_on: needs = {} } of services) {
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets))
      expect(Object.keys(compose.volumes)).toEqual(
        expect.arrayContaining(volumes.map((volume) => volume.split(':')[0])),
      )
      for (const name of Object.keys(needs)) {
        expect(compose.services[name]?.healthcheck).toHaveProperty('test')
      }
    }
  })

  test('sets variables that exist, and no secret by its value', () => {
    const known = new Set(
      fieldNames.flatMap((name) => [variableOf(name), `${variableOf(name)}_FILE`]),
    )
    for (const { environment, secrets } of services) {
      const names = Object.keys(environment)
      expect(names.filter((name) => /(PASSWORD|DATABASE|KEY)$/.test(name))).toEqual([])
      const own = names.filter((name) => name.startsWith('SECONDWIND_'))
      expect(own.filter((name) => !known.has(name))).toEqual([])
      const used = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))
      expect(used.map((path) => path.replace('/run/secrets/', '')).toSorted()).toEqual(
        secrets.toSorted(),
      )
    }
  })
})

describe('Dockerfile', () => {
  const text = read('Dockerfile')
  const [, , last = ''] = text.split(/^FROM /m).slice(1)

  test('copies what is there, and what .dockerignore lets through', () => {
    const allowed = new Set(read('.dockerignore').split('\n'))
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, words = '']) =>
      words.split(' '),
    )
    expect(copied).toContain('src')
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(copied.filter((path) => !allowed.has(`!${path}`))).toEqual([])
  })

  test('ends as a user without rights, with a health check', () => {
    expect(last).toMatch(/^USER node$/m)
    expect(last).toMatch(/^HEALTHCHECK[^]*\/healthz/m)
    expect(last).not.toMatch(/npm/)
  })
})

describe('secondwind.service', () => {
  test('sets variables that exist', () => {
    const names = [...read('packaging/secondwind.service').matchAll(/^Environment=(\w+)=/gm)]
    expect(names.map(([, name]) => name)).toEqual(['NODE_ENV', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'])
  })
})
