/**
 * Owns what can be configured: one flat list. A field has one name in all spellings: `publicUrl` in
 * a file, `SECONDWIND_PUBLIC_URL` in the environment, `--public-url` where a command takes it.
 */

import { join } from 'node:path'
import { z } from 'zod'
import { largestHoldout, smallestHoldout } from '../core/lift/arm.ts'
import { isTimeZone } from '../core/time-zone.ts'
import { Secret } from '../core/secret.ts'
import type { Places } from './places.ts'

/** How a text from the environment or the command line becomes a value. */
export type FieldKind = 'text' | 'number' | 'yes_or_no' | 'list' | 'data'

export interface Field<Value> {
  readonly kind: FieldKind
  readonly schema: z.ZodType<Value>
  /** For people. */
  readonly about: string
  readonly fallback: (places: Places) => Value
}

function field<Value>(given: Field<Value>): Field<Value> {
  return given
}

const text = (most = 4096) => z.string().trim().min(1, 'must not be empty').max(most)
const secret = z.union([z.instanceof(Secret), text().transform((value) => new Secret(value))])
const none = () => null
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address with http or https' })

/** Nothing, or enough to tell lift from luck. */
export function isHoldoutShare(share: number): boolean {
  return share === 0 || (share >= smallestHoldout && share <= largestHoldout)
}

export const fields = {
  database: field({
    kind: 'text',
    schema: text(),
    about: 'where the ledger is: a file for SQLite, or a postgres:// address',
    fallback: ({ dataFolder }) => join(dataFolder, 'ledger.db'),
  }),
  key: field({
    kind: 'text',
    schema: secret.nullable(),
    about: 'the key that seals credentials; better kept in keyFile or SECONDWIND_KEY_FILE',
    fallback: none,
  }),
  oldKeys: field({
    kind: 'text',
    schema: secret.nullable(),
    about: 'keys that still open what they sealed, separated by commas',
    fallback: none,
  }),
  keyFile: field({
    kind: 'text',
    schema: text(),
    about: 'the file with the key; made where there is none',
    fallback: ({ configFolder }) => join(configFolder, 'key'),
  }),
  host: field({
    kind: 'text',
    schema: text(253),
    about: 'the address that the server binds to',
    fallback: () => '127.0.0.1',
  }),
  port: field({
    kind: 'number',
    schema: z.int().min(0).max(65_535),
    about: 'the port that the server binds to; 0 takes any that is free',
    fallback: () => 8737,
  }),
  publicUrl: field({
    kind: 'text',
    schema: webAddress.nullable(),
    about: 'the address under which people reach the server, where a proxy stands before it',
    fallback: none,
  }),
  hosts: field({
    kind: 'list',
    schema: z.array(text(253)).max(100),
    about: 'names that the server answers to, beside its own and that of publicUrl',
    fallback: (): readonly string[] => [],
  }),
  trustProxy: field({
    kind: 'yes_or_no',
    schema: z.boolean(),
    about: 'whether a proxy before the server says truly who asks, in X-Forwarded-For',
    fallback: () => false,
  }),
  password: field({
    kind: 'text',
    schema: secret.nullable(),
    about: 'sets the password at the first start, where nobody can open the set-up link',
    fallback: none,
  }),
  allowHosts: field({
    kind: 'list',
    schema: z.array(text(260)).max(1000),
    about: 'hosts that may be private or speak plain HTTP, as host or host:port',
    fallback: (): readonly string[] => [],
  }),
  mode: field({
    kind: 'text',
    schema: z.enum(['watch', 'approve', 'auto']),
    about: 'how a new account is run: watch, approve or auto',
    fallback: () => 'approve' as const,
  }),
  timeZone: field({
    kind: 'text',
    schema: text(64).refine(isTimeZone, 'must be a time zone such as Europe/Paris'),
    about: 'the time zone of a new account, for its quiet hours',
    fallback: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  }),
  policy: field({
    kind: 'text',
    schema: text(200),
    about: 'the policy of a new account: standard, classic, or one that was saved',
    fallback: () => 'standard',
  }),
  holdoutShare: field({
    kind: 'number',
    schema: z
      .number()
      .refine(isHoldoutShare, `must be 0, or from ${smallestHoldout} to ${largestHoldout}`),
    about: 'the share of stalled posts left alone to measure against: 0, or 0.2 to 0.8',
    fallback: () => 0.2,
  }),
  tone: field({
    kind: 'text',
    schema: z.enum(['plain', 'warm', 'curious']),
    about: 'how the built-in texts sound: plain, warm or curious',
    fallback: () => 'plain' as const,
  }),
  templates: field({
    kind: 'data',
    schema: z.array(z.unknown()),
    about: 'texts of your own, as Liquid templates',
    fallback: (): readonly unknown[] => [],
  }),
  allowedLinks: field({
    kind: 'list',
    schema: z.array(text()).max(1000),
    about: 'domains that a text may link though the post does not',
    fallback: (): readonly string[] => [],
  }),
  modelUrl: field({
    kind: 'text',
    schema: webAddress.nullable(),
    about: 'an OpenAI-compatible endpoint that writes texts; none unless it is set',
    fallback: none,
  }),
  modelName: field({
    kind: 'text',
    schema: text(200).nullable(),
    about: 'the model to ask there',
    fallback: none,
  }),
  modelKey: field({
    kind: 'text',
    schema: secret.nullable(),
    about: 'the key for that endpoint',
    fallback: none,
  }),
  policies: field({
    kind: 'data',
    schema: z.array(z.unknown()),
    about: 'policies of your own; each is saved under its name and version',
    fallback: (): readonly unknown[] => [],
  }),
  concurrency: field({
    kind: 'number',
    schema: z.int().min(1).max(256),
    about: 'how many accounts one worker serves at once; on Postgres, how many jobs',
    fallback: () => 8,
  }),
  healthPort: field({
    kind: 'number',
    schema: z.int().min(0).max(65_535).nullable(),
    about: 'where a worker answers /healthz and /readyz; nowhere unless it is set',
    fallback: none,
  }),
  keepSamplesDays: field({
    kind: 'number',
    schema: z.int().min(7).max(3650),
    about: 'how long every reading of a closed post is kept; then only what baselines need',
    fallback: () => 30,
  }),
  logLevel: field({
    kind: 'text',
    schema: z.enum(['error', 'warn', 'info', 'debug']),
    about: 'how much is said on stderr: error, warn, info or debug',
    fallback: () => 'info' as const,
  }),
}

export type FieldName = keyof typeof fields
type ValueOf<Given> = Given extends Field<infer Value> ? Value : never

/** Everything that can be configured, decided. */
export type Config = { readonly [Name in FieldName]: ValueOf<(typeof fields)[Name]> }

/** What a configuration file may say. */
export type UserConfig = {
  readonly [Name in FieldName]?: z.input<(typeof fields)[Name]['schema']>
}

export const fieldNames = Object.keys(fields) as readonly FieldName[]

export function variableOf(name: FieldName): string {
  return `SECONDWIND_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

export function flagOf(name: FieldName): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
