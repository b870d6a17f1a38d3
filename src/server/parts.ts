/** Owns what a server is made of: everything it uses is handed in, and nothing is reached for. */

import type { Clock } from '../core/clock.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../core/duration.ts'
import type { Instant } from '../core/instant.ts'
import type { Random } from '../core/random.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Connector, ConnectorTools } from '../platform/connector.ts'
import type { Platform } from '../platform/platform.ts'
import type { Sealer } from '../vault/vault.ts'

/** What the server says about itself while it works. A pino logger is one. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** How the engine of this process is doing; null where another process does its work. */
export type EngineHealth = () => EngineReport | null

export interface EngineReport {
  /** When it last looked at what is due, by the clock it works with, which is the ledger's. */
  readonly lastTurnAt: Instant | null
  /** What went wrong lately, the newest first. */
  readonly problems: readonly {
    readonly at: Instant
    readonly work: string
    readonly id: string
    readonly message: string
  }[]
}

export interface ServerSettings {
  /** Where people reach it, where that is not what it binds: `https://wind.example`. */
  readonly publicUrl: string | null
  /** Names it answers to beside loopback's and that of `publicUrl`. */
  readonly hosts: readonly string[]
  /** The proxy before it says who asks, in `X-Forwarded-For`. */
  readonly trustProxy: boolean
  /** N of scrypt, a power of 2: twice as much takes twice the time and memory. */
  readonly passwordCost: number
  readonly sessionMs: number
  readonly setUpLinkMs: number
  readonly signInLinkMs: number
  readonly browserSignInMs: number
  readonly bodyBytes: number
  readonly requestsPerMinute: number
  /** Wrong passwords from one address, and from all together, within the window. */
  readonly loginTries: number
  readonly loginTriesOfAll: number
  readonly loginWindowMs: number
  readonly idempotencyKeepMs: number
  /** Event streams at the same time. */
  readonly streams: number
  /** How often the ledger is asked for new events while someone listens. */
  readonly pollMs: number
  readonly heartbeatMs: number
  /** Work that is due for longer than this means that the engine is stuck. */
  readonly stuckAfterMs: number
  /** How long an approval can be taken back before it is sent, and how long it lasts. */
  readonly approvalGraceMs: number
  readonly approvalLastsMs: number
  /** How long a call to a network may take while a person waits for it. */
  readonly networkMs: number
  /** For how long what was learnt is not worked out again. */
  readonly liftKeepMs: number
  /** The pauses between tries of one webhook delivery. */
  readonly webhookDelaysMs: readonly number[]
  readonly webhookTimeoutMs: number
  readonly webhookLogMs: number
  /** After so many failed deliveries in a row a webhook is switched off. */
  readonly webhookFailures: number
}

export const defaultServerSettings: ServerSettings = {
  publicUrl: null,
  hosts: [],
  trustProxy: false,
  // 64 MiB and about 0.2 s, half of which the OWASP sheet on storing passwords asks for at least.
  passwordCost: 2 ** 16,
  sessionMs: 30 * dayMs,
  setUpLinkMs: 7 * dayMs,
  signInLinkMs: hourMs,
  browserSignInMs: 15 * minuteMs,
  bodyBytes: 1024 * 1024,
  requestsPerMinute: 1200,
  loginTries: 5,
  loginTriesOfAll: 50,
  loginWindowMs: 15 * minuteMs,
  idempotencyKeepMs: dayMs,
  streams: 100,
  pollMs: 500,
  heartbeatMs: 15 * secondMs,
  stuckAfterMs: 5 * minuteMs,
  approvalGraceMs: 10 * secondMs,
  approvalLastsMs: 12 * hourMs,
  networkMs: 20 * secondMs,
  liftKeepMs: minuteMs,
  webhookDelaysMs: [
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    dayMs,
    dayMs,
  ],
  webhookTimeoutMs: 15 * secondMs,
  webhookLogMs: 30 * dayMs,
  webhookFailures: 100,
}

/** A demo's ledger runs fast: by its time, whoever came in would be out again in minutes. */
export const demoSettings = {
  sessionMs: 100 * 365 * dayMs,
  signInLinkMs: 100 * 365 * dayMs,
} satisfies Partial<ServerSettings>

export interface ServerParts {
  readonly ledger: Ledger
  /** The machine's, also where the ledger runs on a faster one. */
  readonly clock: Clock
  /** Secrets are drawn from it, so it must be one that nobody can foretell. */
  readonly random: Random
  /** Those the engine works with. */
  readonly platforms: readonly Platform[]
  /** Those that accounts can be added on. */
  readonly connectors: readonly Connector[]
  /** For signing in; its fetch also sends webhooks. */
  readonly tools: ConnectorTools
  readonly vault: Sealer
  readonly engineHealth: EngineHealth
  readonly mode: 'demo' | 'live'
  readonly log: Log
  readonly version: string
  /** Where the ledger is kept, in a word. */
  readonly ledgerKind: string
  /** The folder of the built dashboard; null where there is none. */
  readonly webFolder: string | null
  readonly settings?: Partial<ServerSettings>
}
