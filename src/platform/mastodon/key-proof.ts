/**
 * Owns the trial that proves whether a server recognises a repeated Idempotency-Key. It makes posts
 * that only the account itself can see, and deletes them. The owner asks for it; the engine never
 * does. What it finds is kept in the profile, for this version of the server only.
 */

import type { Json } from '../../core/json.ts'
import type { ConnectorTools } from '../connector.ts'
import { CredentialsError } from '../oauth/api-error.ts'
import { Session } from '../oauth/session.ts'
import type { CallOptions } from '../platform.ts'
import { Api, textOf } from './api.ts'
import { documentedKeyMs } from './probe.ts'
import { parseProfile } from './profile.ts'
import type { Profile } from './profile.ts'
import { sessionRules } from './session-rules.ts'

/** So often the same is sent at the same time: a server that lets two through does so by chance. */
const rounds = 5

/** Gives the profile to store. */
export async function proveKeys(tools: ConnectorTools, options: CallOptions): Promise<Json> {
  const profile = parseProfile(options.connection.profile)
  if (profile === null) throw new CredentialsError('the account was never probed; sign in again')
  // What cannot be deleted again is not posted.
  if (!profile.canDelete) return { ...profile, keyKeptMs: null }
  const api = new Api(await Session.open(sessionRules(tools), options))
  const trial = tools.random.id()
  const made = new Set<string>()
  try {
    const isKept = await isRecognised(api, trial, made)
    return { ...profile, keyKeptMs: isKept ? documentedKeyMs : null }
  } finally {
    for (const id of [...made, ...(await leftOver(api, profile, trial))]) await api.remove(id)
  }
}

/** What was made although the answer was an error, or never came. */
async function leftOver(api: Api, { accountId }: Profile, trial: string): Promise<string[]> {
  const { found } = await api.listOwn(accountId, { since: 0, withReplies: true, pages: 1 })
  return found.filter((status) => textOf(status).includes(trial)).map(({ id }) => id)
}

async function isRecognised(api: Api, trial: string, made: Set<string>): Promise<boolean> {
  const post = async (name: string): Promise<string | null> => {
    const body = { status: `Second Wind tries something out (${name})`, visibility: 'direct' }
    const status = await api.post(body, name).catch(() => null)
    if (status !== null) made.add(status.id)
    return status?.id ?? null
  }
  const [first, second] = [await post(`${trial}:0`), await post(`${trial}:0`)]
  if (first === null || first !== second) return false
  for (let round = 1; round <= rounds; round += 1) {
    const name = `${trial}:${round}`
    const [one, other] = await Promise.all([post(name), post(name)])
    if (one === null || one !== other) return false
  }
  return true
}
