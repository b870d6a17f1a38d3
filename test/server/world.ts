/**
 * Builds a server for tests: two accounts on a simulated network with a ledger in memory, an engine
 * that has run for a while, a connector whose sign-ins answer at once, and a fetch that leads
 * nowhere but to a list.
 */

import { InputError, Secret, standardPolicy, toAccountId } from '../../src/core/index.ts'
import type { AccountId } from '../../src/core/index.ts'
import { minuteMs } from '../../src/core/duration.ts'
import type { Connector, ConnectorTools, Trial } from '../../src/platform/connector.ts'
import { FetchError } from '../../src/platform/fetch/fetch-error.ts'
import { GuardedResponse } from '../../src/platform/fetch/guarded-response.ts'
import { revealed } from '../../src/platform/fetch/request.ts'
import type { FetchOptions } from '../../src/platform/fetch/request.ts'
import { createServer } from '../../src/server/server.ts'
import type { Server } from '../../src/server/server.ts'
import type { Ledger } from '../../src/ledger/index.ts'
import type { EngineReport, ServerSettings } from '../../src/server/parts.ts'
import type { Scope } from '../../src/server/schema/session.ts'
import { systemRandom } from '../../src/system.ts'
import { Vault, VaultKey } from '../../src/vault/index.ts'
import { Stage } from '../builders/engine.ts'
import type { StageOptions } from '../builders/engine.ts'

export interface WorldOptions extends StageOptions {
  /** What can be tried out on the network; nothing unless a test says so. */
  readonly trial?: Trial
  readonly runs?: 'demo' | 'live'
  readonly server?: Partial<ServerSettings>
  readonly webFolder?: string
}

/** A request that the server sent out. */
export interface SentRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const password = 'correct horse battery'
export const origin = 'http://localhost'

export class World {
  readonly stage: Stage
  server: Server
  readonly ann: AccountId = toAccountId('ann')
  readonly bob: AccountId = toAccountId('bob')
  /** What was logged, as text. */
  readonly logged: string[] = []
  readonly sent: SentRequest[] = []
  /** What the owner's addresses answer; null where they cannot be reached. */
  hookStatus: number | null = 200
  answers: (url: string) => number | null = () => this.hookStatus
  engine: EngineReport | null = null
  readonly #tokens = new Map<string, string>()

  readonly #options: WorldOptions
  readonly #vault = new Vault({ current: VaultKey.parse(VaultKey.make(), 'key'), older: [] })

  private constructor(stage: Stage, options: WorldOptions) {
    this.stage = stage
    this.#options = options
    this.server = this.another()
  }

  /** One more server on the same ledger. */
  another(ledger: Ledger = this.stage.ledger): Server {
    const { clock, network } = this.stage
    const note = (fields: object, message: string) =>
      this.logged.push(`${message} ${JSON.stringify(fields, showErrors)}`)
    const tools: ConnectorTools = {
      fetch: (url, fetchOptions) => this.#answer(String(url), fetchOptions ?? {}),
      socket: () => Promise.reject(new Error('No test opens a socket')),
      clock,
      random: systemRandom,
    }
    return createServer({
      ledger,
      clock,
      random: systemRandom,
      platforms: [network.platform],
      connectors: [connectorOf(this.stage, this.#options.trial)],
      tools,
      vault: this.#vault,
      engineHealth: () => this.engine,
      mode: this.#options.runs ?? 'live',
      log: { info: note, warn: note, error: note },
      version: '0.0.0-test',
      ledgerKind: 'memory',
      webFolder: this.#options.webFolder ?? null,
      settings: { passwordCost: 2 ** 4, requestsPerMinute: 1e9, ...this.#options.server },
    })
  }

  static async open(options: WorldOptions = {}): Promise<World> {
    const stage = await Stage.open({ mode: 'approve', ...options })
    await stage.ledger.savePolicy(standardPolicy)
    await stage.addAccount('bob')
    return new World(stage, options)
  }

  /** From now on it is another ledger that is asked. */
  serveFrom(ledger: Ledger): void {
    this.server = this.another(ledger)
    this.#tokens.clear()
  }

  get ledger() {
    return this.stage.ledger
  }

  /** A program's token; made once for each scope and limit. */
  async token(scope: Scope, accountIds: readonly AccountId[] | null = null): Promise<string> {
    const name = `${scope}:${accountIds?.join() ?? ''}`
    const known = this.#tokens.get(name)
    if (known !== undefined) return known
    const wish = { name: `a ${scope} token`, scope, accountIds, expiresAt: null }
    const secret = (await this.server.addToken(wish)).reveal()
    this.#tokens.set(name, secret)
    return secret
  }

  /** As a program with all rights, unless `as` says otherwise; null for nobody. */
  async call<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    as?: Caller,
  ): Promise<Answer<Body>> {
    const token = as?.token === undefined ? await this.token('admin') : as.token
    const headers = new Headers(as?.headers ?? {})
    if (token !== null) headers.set('authorization', `Bearer ${token}`)
    if (body !== undefined) headers.set('content-type', 'application/json')
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const url = new URL(path.startsWith('/api') ? path : `/api/v1${path}`, origin)
    const response = await this.server.fetch(new Request(url, { method, headers, body: text }))
    return toAnswer(response)
  }

  get<Body = unknown>(path: string, as?: Caller): Promise<Answer<Body>> {
    return this.call('GET', path, undefined, as)
  }

  post<Body = unknown>(path: string, body?: unknown, as?: Caller): Promise<Answer<Body>> {
    return this.call('POST', path, body, as)
  }

  /** Sends a request as it is, without any credentials. */
  async raw(path: string, init: RequestInit = {}): Promise<Response> {
    return this.server.fetch(new Request(new URL(path, origin), init))
  }

  /** A post of Ann's that stalls, and the action on it, which awaits approval. */
  async awaiting(handle = 'ann') {
    this.stage.publish('A post that nobody sees.', {}, handle)
    return this.stage.until(async () => {
      const rows = await this.stage.actions()
      return rows.find((row) => row.accountId === handle && row.state === 'awaiting_approval')
    })
  }

  pass(durationMs = minuteMs): Promise<void> {
    return this.stage.pass(durationMs)
  }

  async #answer(url: string, options: FetchOptions): Promise<GuardedResponse> {
    const headers = Object.fromEntries(
      Object.entries(options.headers ?? {}).map(([name, value]) => [name, revealed(value)]),
    )
    this.sent.push({ url, headers, body: String(revealed(options.body ?? '')) })
    const status = this.answers(url)
    if (status === null) {
      throw new FetchError({ kind: 'connect', sent: false, where: url, problem: 'is not there' })
    }
    return new GuardedResponse({
      status,
      where: url,
      headers: new Map(),
      bytes: Buffer.from(''),
    })
  }
}

export interface Caller {
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer; its body is taken to be what the route promises, and null where it is no JSON. */
export interface Answer<Body = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

async function toAnswer<Body>(response: Response): Promise<Answer<Body>> {
  const text = await response.text()
  const isJson = /application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
  const body = (isJson ? JSON.parse(text) : null) as Body
  return { status: response.status, headers: response.headers, text, body }
}

/** The simulated network, with a way to sign in by password and one through the browser. */
function connectorOf({ network }: Stage, trial: Trial | undefined): Connector {
  const { platform } = network
  const field = (name: string, isSecret: boolean) => ({
    name,
    label: name,
    hint: 'Anything',
    isSecret,
    fallback: null,
  })
  return {
    name: platform.name,
    title: 'Simulated',
    create: () => platform,
    ...(trial === undefined ? {} : { trial }),
    signIns: [
      {
        kind: 'direct',
        name: 'app-password',
        title: 'App password',
        fields: [field('handle', false), field('password', true)],
        open: async (_, { handle = '', password: given = '' }) => {
          if (given !== 'secret') throw new InputError('values.password', 'is wrong')
          return { handle, credentials: new Secret(given), profile: { from: 'sign-in' } }
        },
      },
      {
        kind: 'browser',
        name: 'browser',
        title: 'In the browser',
        fields: [],
        clientDocument: (redirectUri) => ({
          path: '/oauth/simulated.json',
          document: { redirect_uris: [redirectUri] },
        }),
        begin: async (_, { redirectUri }) => ({
          url: `https://network.example/agree?back=${encodeURIComponent(redirectUri)}`,
          pending: new Secret('verifier'),
          state: 'state-1',
        }),
        finish: async (_, { pending, answer }) => {
          if (pending.reveal() !== 'verifier') throw new Error('The visit was mixed up')
          const handle = new URL(answer).searchParams.get('code') ?? ''
          return { handle, credentials: new Secret('secret'), profile: null }
        },
      },
    ],
  }
}

function showErrors(_: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message } : value
}
