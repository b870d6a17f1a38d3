/**
 * Owns the trial that shows whether an account may reply to its own posts through the API: it
 * replies to one of them and deletes the reply. It can be seen for a moment, and X charges for it.
 * The owner asks for it; the engine never does. What it finds is kept in the profile.
 */

import type { Json } from '../../core/json.ts'
import type { ConnectorTools } from '../connector.ts'
import { AnswerError } from '../fetch/guarded-response.ts'
import { CredentialsError } from '../oauth/api-error.ts'
import { Session } from '../oauth/session.ts'
import type { CallOptions } from '../platform.ts'
import { xAddresses } from './addresses.ts'
import { Api } from './api.ts'
import { sessionRules } from './credentials.ts'
import { parseProfile } from './profile.ts'

export interface ReplyTrial extends CallOptions {
  /** A post of the account's own. */
  readonly remoteId: string
}

/** Gives the profile to store. Whatever fails for another reason than permission is thrown. */
export async function proveReplies(
  tools: ConnectorTools,
  { remoteId, ...options }: ReplyTrial,
  addresses = xAddresses,
): Promise<Json> {
  const profile = parseProfile(options.connection.profile)
  if (profile === null) throw new CredentialsError('the account was never probed; sign in again')
  const api = new Api(await Session.open(sessionRules(tools, addresses), options))
  const id = await tryReply(api, remoteId, `A short trial, gone in a moment (${tools.random.id()})`)
  if (id !== null) await api.remove(id)
  return { ...profile, repliesProven: id !== null }
}

/** Null where X does not permit it. */
async function tryReply(api: Api, parentId: string, text: string): Promise<string | null> {
  try {
    return await api.reply(parentId, text)
  } catch (error) {
    if (error instanceof AnswerError && error.response.status === 403) return null
    throw error
  }
}
