/**
 * Owns the trial that shows whether an account may reply to its own posts through the API: it
 * replies to the newest of them and deletes the reply. It can be seen for a moment, and X charges
 * for it. The owner asks for it; the engine never does. What it finds is kept in the profile.
 */

import { dayMs } from '../../core/duration.ts'
import { InputError } from '../../core/input-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { ConnectorTools, Trial, TrialResult } from '../connector.ts'
import { AnswerError } from '../fetch/guarded-response.ts'
import { CredentialsError } from '../oauth/api-error.ts'
import { Session } from '../oauth/session.ts'
import type { CallOptions } from '../platform.ts'
import type { Addresses } from './addresses.ts'
import { Api } from './api.ts'
import { sessionRules } from './credentials.ts'
import { parseProfile } from './profile.ts'
import type { Profile } from './profile.ts'
import { discoverPosts } from './reading.ts'

/** A reply to a post that is older would puzzle whoever sees it. */
const recentDays = 30

export function replyTrial(addresses: Addresses): Trial {
  return {
    question: 'whether X lets the account reply to its own posts through the API',
    steps:
      'It replies to the newest post of the account, and deletes the reply at once. People may ' +
      'see it for a moment, and X charges for the calls.',
    run: (tools, options) => proveReplies(tools, addresses, options),
  }
}

/** Whatever fails for another reason than permission is thrown. */
async function proveReplies(
  tools: ConnectorTools,
  addresses: Addresses,
  options: CallOptions,
): Promise<TrialResult> {
  const profile = parseProfile(options.connection.profile)
  if (profile === null) throw new CredentialsError('the account was never probed; sign in again')
  const api = new Api(await Session.open(sessionRules(tools, addresses), options))
  const parentId = await findNewest(api, profile, tools.clock.now())
  const id = await tryReply(api, parentId, `A short trial, gone in a moment (${tools.random.id()})`)
  const leftOver: string[] = []
  if (id !== null) await api.remove(id).catch(() => leftOver.push(id))
  return {
    profile: { ...profile, repliesProven: id !== null },
    finding:
      id === null
        ? 'X does not let the account reply to its own posts: comments and threads stay off.'
        : 'X lets the account reply to its own posts: comments and threads are on now.',
    leftOver,
  }
}

async function findNewest(api: Api, profile: Profile, now: Instant): Promise<string> {
  const [newest] = await discoverPosts(api, profile, now - recentDays * dayMs)
  if (newest !== undefined) return newest.remoteId
  const problem = `has no post of the last ${recentDays} days to reply to; publish one first`
  throw new InputError('account', problem)
}

/** Null where X does not permit it. */
async function tryReply(api: Api, parentId: string, text: string): Promise<string | null> {
  try {
    return await api.reply(parentId, text)
  } catch (error) {
    const response = error instanceof AnswerError ? error.response : null
    if (response?.status === 403 && !response.isPage()) return null
    throw error
  }
}
