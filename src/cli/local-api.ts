/** Puts the HTTP API together in this process, for a command that asks it and is gone again. */

import { openMemoryLedger } from '../ledger/open-ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Connector, ConnectorTools } from '../platform/connector.ts'
import { connectors, createConnectorTools } from '../platform/connectors.ts'
import type { Platform } from '../platform/platform.ts'
import type { Actor } from '../server/auth/actor.ts'
import type { Scope } from '../server/schema/session.ts'
import { createServer } from '../server/server.ts'
import type { Server } from '../server/server.ts'
import { systemClock, systemRandom } from '../system.ts'
import { Vault, VaultKey } from '../vault/index.ts'
import type { Sealer } from '../vault/index.ts'
import { apiOn } from './api.ts'
import type { Api, Asked, OpenAsk } from './api.ts'
import type { Call } from './call.ts'
import { builtInPolicies, isPostgres, openInstallation } from './installation.ts'
import { packageVersion } from './version.ts'

/** Who can run a command on the machine can read the ledger's file as well. */
const commandLine: Actor = {
  kind: 'token',
  id: 'command-line',
  name: 'command line',
  scope: 'admin',
  accountIds: null,
}

export async function askHere(call: Call, scope: Scope): Promise<OpenAsk> {
  const { server, close } = await openLocalServer(call)
  const actor = { ...commandLine, scope }
  return { ask: async (request) => server.fetch(request, { actor }), isHere: true, close }
}

interface LocalServer {
  readonly server: Server
  readonly close: () => Promise<void>
}

/** On the ledger that is configured. */
export async function openLocalServer(call: Call): Promise<LocalServer> {
  const installation = await openInstallation(call)
  try {
    const networks = await installation.networks()
    const { database } = installation.config
    const server = serverOn({
      ledger: installation.ledger,
      ledgerKind: isPostgres(database) ? 'postgres' : 'sqlite',
      vault: installation.vault,
      ...networks,
    })
    return {
      server,
      close: async () => {
        await server.stop()
        await installation[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await installation[Symbol.asyncDispose]()
    throw error
  }
}

export interface StatelessApi extends Api {
  /** The description of the API. */
  document(): Promise<object>
}

/** On an empty ledger in memory: for questions that need none. */
export async function openStatelessApi(): Promise<StatelessApi> {
  const ledger = openMemoryLedger(systemClock)
  for (const policy of builtInPolicies({ policies: [] })) await ledger.savePolicy(policy)
  const tools = createConnectorTools({ allowHosts: [], clock: systemClock, random: systemRandom })
  const vault = new Vault({ current: VaultKey.parse(VaultKey.make(), 'key'), older: [] })
  const parts = { ledger, ledgerKind: 'memory', vault, tools, connectors, platforms: [] }
  const server = serverOn(parts)
  const ask: Asked = async (request) => server.fetch(request, { actor: commandLine })
  const close = async () => {
    await server.stop()
    await ledger[Symbol.asyncDispose]()
  }
  return { ...apiOn(ask, close, true), document: () => Promise.resolve(server.describe()) }
}

function tellDefect(fields: { readonly error?: unknown }): void {
  console.error(fields.error)
}

interface LocalParts {
  readonly ledger: Ledger
  readonly ledgerKind: string
  readonly vault: Sealer
  readonly tools: ConnectorTools
  readonly connectors: readonly Connector[]
  readonly platforms: readonly Platform[]
}

function serverOn(parts: LocalParts): Server {
  return createServer({
    ...parts,
    clock: systemClock,
    random: systemRandom,
    engineHealth: () => null,
    mode: 'live',
    // What goes wrong is told by the command that asked, but for defects of our own.
    log: { info: () => {}, warn: () => {}, error: tellDefect },
    version: packageVersion(),
    webFolder: null,
  })
}
