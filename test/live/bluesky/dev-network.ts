/**
 * Owns a real server of the network: the reference implementation with its directory of accounts.
 * What it would ask the app's index is answered by a stand-in.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Json } from '../../../src/core/json.ts'
import { FakeIndex } from '../../connectors/bluesky/fake-index.ts'
import type { FakeRecord } from '../../connectors/bluesky/fake-repo.ts'
import type { CallServer } from '../../connectors/bluesky/owner.ts'
import { serve } from '../../guarded-fetch/servers.ts'

export interface DevNetwork extends AsyncDisposable {
  readonly url: string
  readonly directory: string
  readonly index: FakeIndex
  openAccount(): Promise<DevAccount>
}

export interface DevAccount {
  readonly did: string
  readonly handle: string
  readonly appPassword: string
  /** In the owner's name, with all rights. */
  readonly call: CallServer
}

export async function startDevNetwork(): Promise<DevNetwork> {
  const place = { url: '' }
  const index = new FakeIndex({
    find: (uri) => findRecord(place.url, uri),
    countReplies: async () => 0,
  })
  const served = await serve(index.listener)
  const server = await startServer(served.url)
  place.url = server.url
  let accounts = 0
  return {
    url: place.url,
    directory: server.directory,
    index,
    openAccount: () => {
      accounts += 1
      return openAccount(place.url, `anna${accounts}.test`)
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await served[Symbol.asyncDispose]()
    },
  }
}

interface StartedServer extends AsyncDisposable {
  readonly url: string
  readonly directory: string
}

/** In a process of its own: it changes how sockets listen, and must not do so here. */
async function startServer(indexUrl: string): Promise<StartedServer> {
  const path = join(import.meta.dirname, 'dev-server.ts')
  const child = spawn(process.execPath, [path, indexUrl], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const [line] = (await Promise.race([once(child.stdout, 'data'), closed])) as [Buffer | number]
  if (!Buffer.isBuffer(line)) throw new Error(`The server ended with ${line}`)
  const places = JSON.parse(line.toString()) as Omit<StartedServer, typeof Symbol.asyncDispose>
  return {
    ...places,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      await closed
    },
  }
}

export const password = 'correct horse battery staple'

/** A person with an account, and a password for programs. */
export async function openAccount(url: string, handle: string): Promise<DevAccount> {
  const email = `${handle}@example.com`
  const created = await post(url, 'com.atproto.server.createAccount', null, {
    handle,
    email,
    password,
  })
  const { did, accessJwt } = created as { readonly did: string; readonly accessJwt: string }
  const call: CallServer = (kind, method, content) =>
    kind === 'POST' ? post(url, method, accessJwt, content) : get(url, method, content)
  const made = await call('POST', 'com.atproto.server.createAppPassword', { name: 'second-wind' })
  const { password: appPassword } = made as { readonly password: string }
  return { did, handle, appPassword, call }
}

async function post(
  url: string,
  method: string,
  token: string | null,
  body: Json,
): Promise<unknown> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/xrpc/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
  })
  return read(method, response)
}

async function get(url: string, method: string, content: object): Promise<unknown> {
  const params = new URLSearchParams(content as Record<string, string>)
  return read(method, await fetch(`${url}/xrpc/${method}?${params.toString()}`))
}

async function read(method: string, response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} answered ${response.status}: ${text}`)
  return text === '' ? null : (JSON.parse(text) as unknown)
}

/** As the server has it; null where it does not. */
export async function findRecord(url: string, uri: string): Promise<FakeRecord | null> {
  const [, , repo = '', collection = '', rkey = ''] = uri.split('/')
  const params = new URLSearchParams({ repo, collection, rkey })
  const response = await fetch(`${url}/xrpc/com.atproto.repo.getRecord?${params.toString()}`)
  return response.ok ? ((await response.json()) as FakeRecord) : null
}
