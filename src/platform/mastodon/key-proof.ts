/**
 * Owns the trial that proves whether a server recognises a repeated Idempotency-Key. It makes posts
 * that only the account itself can see, and deletes them. The owner asks for it; the engine never
 * does. What it finds is kept in the profile, for this version of the server only.
 */

import type { ConnectorTools, Trial, TrialResult } from '../connector.ts'
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

export const keyTrial: Trial = {
  question: 'whether the server recognises a post that is sent twice',
  steps:
    `It sends ${rounds + 1} messages to nobody, each of them twice, and deletes what came of ` +
    'them. Only the account itself can see them.',
  run: proveKeys,
}

async function proveKeys(tools: ConnectorTools, options: CallOptions): Promise<TrialResult> {
  const profile = parseProfile(options.connection.profile)
  if (profile === null) throw new CredentialsError('the account was never probed; sign in again')
  // What cannot be deleted again is not posted.
  if (!profile.canDelete) {
    const finding = 'Posts cannot be deleted on this server, so nothing was tried.'
    return { profile: { ...profile, keyKeptMs: null }, finding, leftOver: [] }
  }
  const api = new Api(await Session.open(sessionRules(tools), options))
  const trial = tools.random.id()
  const made = new Set<string>()
  const tried = await isRecognised(api, trial, made).catch((error: unknown) => ({ error }))
  const leftOver = await clearAway(api, profile, trial, made)
  if (typeof tried !== 'boolean') throw tried.error
  return {
    profile: { ...profile, keyKeptMs: tried ? documentedKeyMs : null },
    finding: tried
      ? 'The server recognises a post that is sent twice: replies are class A now.'
      : 'The server does not recognise a post that is sent twice: replies stay class B.',
    leftOver,
  }
}

/** Gives what could not be removed. */
async function clearAway(
  api: Api,
  { accountId }: Profile,
  trial: string,
  made: ReadonlySet<string>,
): Promise<readonly string[]> {
  // Something may have been made although the answer was an error, or never came.
  const listing = api.listOwn(accountId, { since: 0, withReplies: true, pages: 1 })
  const { found } = await listing.catch(() => ({ found: [] }))
  const unanswered = found.filter((status) => textOf(status).includes(trial)).map(({ id }) => id)
  const leftOver: string[] = []
  for (const id of new Set([...made, ...unanswered])) {
    await api.remove(id).catch(() => leftOver.push(id))
  }
  return leftOver
}

async function isRecognised(api: Api, trial: string, made: Set<string>): Promise<boolean> {
  const post = async (name: string): Promise<string> => {
    const body = { status: `Second Wind tries something out (${name})`, visibility: 'direct' }
    const { id } = await api.post(body, name)
    made.add(id)
    return id
  }
  const orNull = (posting: Promise<string>) => posting.catch(() => null)
  // Where not even the first is taken, nothing is found out about the second.
  const first = await post(`${trial}:0`)
  if ((await orNull(post(`${trial}:0`))) !== first) return false
  for (let round = 1; round <= rounds; round += 1) {
    const name = `${trial}:${round}`
    const [one, other] = await Promise.all([orNull(post(name)), orNull(post(name))])
    if (one === null || one !== other) return false
  }
  return true
}
