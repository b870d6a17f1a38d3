/**
 * Opens an installation as it is configured: its ledger, its keys, its networks, its words. A
 * command takes from it what it needs, and the rest is never loaded.
 */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config/fields.ts'
import type { Content } from '../content/content.ts'
import { InputError } from '../core/input-error.ts'
import { classicPolicy } from '../core/policies/classic.ts'
import { standardPolicy } from '../core/policies/standard.ts'
import { parsePolicy } from '../core/policy.ts'
import type { Policy } from '../core/policy.ts'
import type { Queue } from '../engine/delivery/queue.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openPostgresLedger, openSharedLedger, openSqliteLedger } from '../ledger/open-ledger.ts'
import type { HandingOut } from '../ledger/postgres/jobs.ts'
import type { Connector, ConnectorTools } from '../platform/connector.ts'
import type { Platform } from '../platform/platform.ts'
import { systemClock, systemRandom } from '../system.ts'
import { Vault, loadKeys, openLater } from '../vault/index.ts'
import type { Sealer } from '../vault/index.ts'
import { readConfig } from './call.ts'
import type { Call } from './call.ts'

export interface Installation extends AsyncDisposable {
  readonly config: Config
  readonly ledger: Ledger
  /** How workers hear of what is due; null where there is one process, or nobody was asked for. */
  readonly delivery: Delivery | null
  /** A command that opens no secret needs no key. */
  readonly vault: Sealer
  networks(): Promise<Networks>
  content(): Promise<Content>
}

/** What workers that share one Postgres work by. */
export interface Delivery {
  readonly queue: Queue
  readonly handingOut: HandingOut
}

/** Who tells workers of what becomes due, and who works. */
export type Part = 'teller' | 'worker'

export interface Networks {
  readonly connectors: readonly Connector[]
  readonly platforms: readonly Platform[]
  readonly tools: ConnectorTools
}

export async function openInstallation(
  call: Call,
  part: Part | null = null,
): Promise<Installation> {
  const { config } = await readConfig(call)
  const say = (text: string) => call.out.say(text)
  const { ledger, delivery, close } = await openStore(config, part, say)
  try {
    for (const policy of builtInPolicies(config)) await ledger.savePolicy(policy)
  } catch (error) {
    await close()
    throw error
  }
  let networks: Promise<Networks> | null = null
  return {
    config,
    ledger,
    delivery,
    vault: openLater(() => openVault(config, say)),
    networks: () => (networks ??= openNetworks(config)),
    content: () => openContent(config, say),
    [Symbol.asyncDispose]: close,
  }
}

interface OpenStore extends Pick<Installation, 'ledger' | 'delivery'> {
  readonly close: () => Promise<void>
}

/** On Postgres, who takes part in delivery opens the queue with the ledger. */
async function openStore(
  config: Config,
  part: Part | null,
  say: (text: string) => void,
): Promise<OpenStore> {
  const { database: connectionString } = config
  if (part === null || !isPostgres(connectionString)) {
    const ledger = await openLedger(config)
    return { ledger, delivery: null, close: async () => ledger[Symbol.asyncDispose]() }
  }
  const { openQueue } = await import('../engine/delivery/queue.ts')
  const onProblem = (error: unknown) => say(`The queue: ${String(error)}`)
  const queue = await openQueue({ connectionString, looksAfter: part === 'worker', onProblem })
  try {
    const shared = await openSharedLedger({ connectionString, jobWriter: queue.writer })
    const { ledger, handingOut } = shared
    const close = async () => {
      await queue[Symbol.asyncDispose]()
      await ledger[Symbol.asyncDispose]()
    }
    return { ledger, delivery: { queue, handingOut }, close }
  } catch (error) {
    await queue[Symbol.asyncDispose]()
    throw error
  }
}

export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:\/\//.test(database)
}

export async function openLedger({ database }: Pick<Config, 'database'>): Promise<Ledger> {
  if (isPostgres(database)) {
    // Ledger time is the server's own there: workers' clocks may differ.
    return openPostgresLedger({ connectionString: database })
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(database)) {
    throw new InputError('database', 'must be a file or a postgres:// address')
  }
  await mkdir(dirname(database), { recursive: true, mode: 0o700 })
  return openSqliteLedger({ path: database, clock: systemClock })
}

export function builtInPolicies({ policies }: Pick<Config, 'policies'>): readonly Policy[] {
  const own = policies.map((value, index) => {
    try {
      return parsePolicy(value)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      throw new InputError(`policies[${index}]`, error.message)
    }
  })
  return [standardPolicy, classicPolicy, ...own]
}

function openVault(config: Config, say: (text: string) => void): Vault {
  const env = {
    SECONDWIND_KEY: config.key?.reveal(),
    SECONDWIND_OLD_KEYS: config.oldKeys?.reveal(),
  }
  const { ring, origin } = loadKeys({ env, keyFile: config.keyFile })
  if (origin === 'made') {
    say(`Made a key in ${config.keyFile}. Keep a copy: without it no credential opens again.`)
  }
  return new Vault(ring)
}

async function openNetworks(config: Config): Promise<Networks> {
  const { connectors, createConnectorTools } = await import('../platform/connectors.ts')
  const { allowHosts } = config
  const tools = createConnectorTools({ allowHosts, clock: systemClock, random: systemRandom })
  const platforms = connectors.map((connector) => connector.create(tools))
  return { connectors, platforms, tools }
}

async function openContent(config: Config, say: (text: string) => void): Promise<Content> {
  const { connectLanguageModel, createModelContent, createTemplateContent, parseTemplates } =
    await import('../content/index.ts')
  const { tone, allowedLinks, modelUrl, modelName, modelKey } = config
  const templates = parseTemplates(config.templates)
  const fallback = createTemplateContent({ tone, allowedLinks, templates })
  if (modelUrl === null) return fallback
  if (modelName === null) throw new InputError('modelName', 'is missing; modelUrl needs it')
  const model = await connectLanguageModel({
    baseUrl: modelUrl,
    model: modelName,
    ...(modelKey === null ? {} : { apiKey: modelKey }),
  })
  const onFailure = ({ why }: { readonly why: string }) => say(`${model.name}: ${why}`)
  return createModelContent({ model, fallback, clock: systemClock, tone, allowedLinks, onFailure })
}
