/**
 * Owns finding out what a server is and what it can do there. Where its software is not known, all
 * that was not seen to work is left off.
 */

import { hourMs } from '../../core/duration.ts'
import { requireOk } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import { CredentialsError } from '../oauth/api-error.ts'
import type { Probed } from '../platform.ts'
import { isAnswer } from './api.ts'
import type { Profile } from './profile.ts'
import { accountSchema, instanceSchema, nodeLinksSchema, nodeSchema } from './wire.ts'
import type { Instance } from './wire.ts'

/** Reads one path of the server in the account's name. */
export type Read = (path: string) => Promise<GuardedResponse>

interface Software {
  readonly name: string
  readonly version: string
}

/** As Mastodon has it, for servers that do not say. */
const usual = { characters: 500, perUrl: 23 }

/** How long Mastodon documents to keep a key. */
export const documentedKeyMs = hourMs

export async function probeServer(read: Read, before: Profile | null): Promise<Probed> {
  const account = await readAccount(read)
  const instance = await readInstance(read)
  const software = (await readSoftware(read)) ?? softwareFrom(instance.version)
  const limits = instance.configuration?.statuses
  const profile: Profile = {
    software: software.name,
    version: software.version,
    accountId: account.id,
    maximumCharacters: limits?.max_characters ?? instance.max_toot_chars ?? usual.characters,
    charactersPerUrl: limits?.characters_reserved_per_url ?? usual.perUrl,
    canEdit: canEdit(software, instance),
    canReadMany: software.name === 'mastodon' && isAtLeast(software.version, [4, 3]),
    // It answers 404 to every attempt.
    canDelete: software.name !== 'snac',
    keyKeptMs: isSame(software, before) ? (before?.keyKeptMs ?? null) : null,
  }
  const domain = instance.domain ?? hostFrom(instance.uri)
  const acct =
    account.acct.includes('@') || domain === null ? account.acct : `${account.acct}@${domain}`
  return { handle: `@${acct}`, profile }
}

/** What was proven of one version need not be so in the next. */
function isSame({ name, version }: Software, before: Profile | null): boolean {
  return before !== null && before.software === name && before.version === version
}

async function readAccount(read: Read) {
  const response = await read('/api/v1/accounts/verify_credentials')
  // Some servers find nothing wrong with a bad token, only nobody who belongs to it.
  if ([403, 422].includes(response.status) && !response.isPage()) {
    throw new CredentialsError('the server does not accept the credentials; sign in again')
  }
  return requireOk(response).parse(accountSchema)
}

async function readInstance(read: Read): Promise<Instance> {
  const newer = await read('/api/v2/instance')
  const response = newer.ok ? newer : await read('/api/v1/instance')
  return requireOk(response).parse(instanceSchema)
}

/** The one place where servers name their software plainly; null where one does not. */
async function readSoftware(read: Read): Promise<Software | null> {
  try {
    const { links } = requireOk(await read('/.well-known/nodeinfo')).parse(nodeLinksSchema)
    const link = links.find(({ rel }) => rel.includes('nodeinfo.diaspora.software/ns/schema/2'))
    if (link === undefined || !URL.canParse(link.href)) return null
    // Only its path: the token that goes along is this server's and no other's.
    const { pathname } = new URL(link.href)
    const { software } = requireOk(await read(pathname)).parse(nodeSchema)
    return { name: software.name.toLowerCase(), version: software.version }
  } catch (error) {
    if (isAnswer(error, 401, 403, 404, 410) || isUnreadable(error)) return null
    throw error
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && 'kind' in error && error.kind === 'malformed'

/** `2.7.2 (compatible; Pleroma 2.6.0)` is what a server says that plays Mastodon. */
function softwareFrom(version: string): Software {
  const other = /\(compatible; (\S+) ([^)]+)\)/i.exec(version)
  const [, name, own] = other ?? []
  if (name !== undefined && own !== undefined) return { name: name.toLowerCase(), version: own }
  return { name: /^\d+\.\d+\.\d+/.test(version) ? 'mastodon' : 'unknown', version }
}

/** From which version on each software is known to edit. */
const editsFrom: Readonly<Record<string, readonly [number, number]>> = {
  mastodon: [3, 5],
  gotosocial: [0, 18],
  snac: [2, 32],
}

function canEdit({ name, version }: Software, { pleroma }: Instance): boolean {
  const from = editsFrom[name]
  if (from !== undefined) return isAtLeast(version, from)
  return pleroma?.metadata?.features?.includes('editing') ?? false
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const match = /^v?(\d+)\.(\d+)/.exec(version)
  if (match === null) return false
  const [have, haveMinor] = [Number(match[1]), Number(match[2])]
  return have > major || (have === major && haveMinor >= minor)
}

function hostFrom(uri: string | null | undefined): string | null {
  if (uri === null || uri === undefined || uri === '') return null
  return URL.canParse(uri) && uri.includes('//') ? new URL(uri).host : uri
}
