/** Connects an account: finds the way to sign in, asks for what it needs, and signs in. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import type {
  AccountChange,
  AccountDetail,
  AccountView,
  BegunSignIn,
} from '../server/schema/account.ts'
import type { PlatformView, SignInView } from '../server/schema/platform.ts'
import { nearest } from '../core/nearest.ts'
import type { Api } from './api.ts'
import type { Call } from './call.ts'
import { ask, choose } from './questions.ts'
import { CommandError, UsageError } from './terminal.ts'

/** What was said of it; null where nothing was. */
interface Wish {
  readonly platform: string | null
  readonly signIn: string | null
}

/** How an account would be signed in to: all that is known before it is done. */
export interface Way {
  readonly platform: PlatformView
  readonly signIn: SignInView
  readonly values: Readonly<Record<string, string>>
}

/** Asks for what is missing, and touches no network. */
export async function findWay(call: Call, api: Api, wish: Wish): Promise<Way> {
  const platform = await findPlatform(call, api, wish.platform)
  const signIn = await findSignIn(call, platform, wish.signIn)
  return { platform, signIn, values: await collectValues(call, signIn) }
}

/** What a dry run shows; the values stay unsaid, as there are secrets among them. */
export function showWay({ out }: Call, { platform, signIn }: Way): void {
  const value = { platform: platform.name, signIn: signIn.name }
  out.show(value, () => `Would sign in to ${platform.title}: ${signIn.title}.`)
}

export async function connectAccount(
  call: Call,
  api: Api,
  { platform, signIn, values }: Way,
  settings: AccountChange,
): Promise<AccountDetail> {
  if (signIn.kind === 'browser') {
    const body = { platform: platform.name, signIn: signIn.name, values }
    const account = await signInByBrowser(call, api, body)
    if (Object.keys(settings).length === 0) return account
    return api.patch<AccountDetail>(`/accounts/${encodeURIComponent(account.id)}`, settings)
  }
  return api.post<AccountDetail>('/accounts', {
    kind: 'direct',
    platform: platform.name,
    signIn: signIn.name,
    values,
    ...settings,
  })
}

/** The same account, with new credentials. */
export async function reconnectAccount(
  call: Call,
  api: Api,
  { id: accountId }: AccountView,
  { platform, signIn, values }: Way,
): Promise<AccountDetail> {
  if (signIn.kind === 'browser') {
    const body = { platform: platform.name, signIn: signIn.name, values, accountId }
    return signInByBrowser(call, api, body)
  }
  const path = `/accounts/${encodeURIComponent(accountId)}/sign-in`
  return api.post<AccountDetail>(path, { signIn: signIn.name, values })
}

async function findPlatform(call: Call, api: Api, word: string | null): Promise<PlatformView> {
  const { items } = await api.get<{ readonly items: readonly PlatformView[] }>('/platforms')
  const names = items.map(({ name }) => name)
  if (word === null && !call.mayAsk) {
    throw new UsageError(`Name a platform: ${names.join(', ')}.`)
  }
  const options = items.map(({ name, title }) => ({ value: name, label: title }))
  const name = word ?? (await choose('Which network?', options))
  const found = items.find((each) => each.name === name)
  if (found !== undefined) return found
  const meant = nearest(name, names)
  const hint = meant === null ? `There are ${names.join(', ')}.` : `Did you mean ${meant}?`
  throw new UsageError(`There is no platform ${name}. ${hint}`)
}

async function findSignIn(
  call: Call,
  { title, signIns }: PlatformView,
  word: string | null,
): Promise<SignInView> {
  const [first, second] = signIns
  if (first === undefined) throw new CommandError(`${title} has no way to sign in.`)
  const options = signIns.map(({ name, title: label }) => ({ value: name, label }))
  const isAsked = word === null && second !== undefined && call.mayAsk
  const name = isAsked ? await choose(`How to sign in to ${title}?`, options) : word
  if (name === null) return signIns.find(({ kind }) => kind === 'direct') ?? first
  const found = signIns.find((each) => each.name === name)
  if (found !== undefined) return found
  const names = signIns.map((each) => each.name).join(', ')
  throw new UsageError(`--sign-in: ${name} is none of ${names}.`)
}

/** From `--set`, else from a person. */
async function collectValues(
  call: Call,
  { fields }: SignInView,
): Promise<Readonly<Record<string, string>>> {
  const given = await readSet(call)
  const values: Record<string, string> = {}
  for (const { name, label, hint, isSecret, fallback } of fields) {
    const known = given.get(name)
    if (known !== undefined) values[name] = known
    else if (call.mayAsk) values[name] = await ask({ message: label, hint, isSecret, fallback })
    else if (fallback !== null) values[name] = fallback
    else throw new UsageError(`--set ${name}=… is missing: ${label}. ${hint}`)
    given.delete(name)
  }
  const [stranger] = given.keys()
  if (stranger !== undefined) {
    const known = fields.map(({ name }) => name).join(', ')
    throw new UsageError(`--set: ${stranger} is not asked for; ${known} are.`)
  }
  return values
}

/** `name=value`, or `name=@file` so that a secret stands on no command line. */
async function readSet(call: Call): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  for (const word of (call.options['set'] as readonly string[] | undefined) ?? []) {
    const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    if (name === undefined) throw new UsageError(`--set: ${word} must be written name=value.`)
    if (!value.startsWith('@')) {
      values.set(name, value)
      continue
    }
    const text = await readFile(value.slice(1), 'utf8').catch(() => null)
    if (text === null) throw new UsageError(`--set ${name}: ${value.slice(1)} cannot be read.`)
    values.set(name, text.trim())
  }
  return values
}

interface BrowserBody {
  readonly platform: string
  readonly signIn: string
  readonly values: Readonly<Record<string, string>>
  /** Signs this one in again instead of adding one. */
  readonly accountId?: string
}

/** Waits on this machine for the browser to come back; a person may paste the address instead. */
async function signInByBrowser(call: Call, api: Api, body: BrowserBody): Promise<AccountDetail> {
  if (!api.isHere) {
    throw new UsageError('A sign-in in the browser is made in the dashboard of that server.')
  }
  const { promise, resolve } = Promise.withResolvers<string>()
  const listener = createServer((request, response) => {
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    response.end('Thank you. Go back to the terminal; this page can be closed.\n')
    const { port } = listener.address() as AddressInfo
    resolve(`http://127.0.0.1:${port}${request.url ?? ''}`)
  })
  await new Promise<void>((listening) => {
    listener.listen(0, '127.0.0.1', listening)
  })
  try {
    const { port } = listener.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    const begun = await api.post<BegunSignIn>('/accounts/sign-ins', body, origin)
    call.out.say(`Open this address in a browser and agree:\n\n  ${begun.url}\n`)
    const answer = await promise
    return await api.post<AccountDetail>('/accounts/sign-ins/finish', {
      state: begun.state,
      answer,
    })
  } finally {
    listener.closeAllConnections()
    listener.close()
  }
}
