/** Owns carrying out a prepared write, with one irreversible call. */

import { beforeSending, ChangedMeanwhile } from '../oauth/api-error.ts'
import type { Landed } from '../platform.ts'
import type { Api } from './api.ts'
import { landedEdit, landedReply, locateEdit } from './locating.ts'
import type { Profile } from './profile.ts'
import type { EditToken, ReplyToken } from './token.ts'

/** X itself refuses a reply to a post that is gone. */
export async function sendReply(api: Api, profile: Profile, token: ReplyToken): Promise<Landed> {
  return landedReply(profile, await api.reply(token.parentId, token.text))
}

export async function sendEdit(api: Api, profile: Profile, token: EditToken): Promise<Landed> {
  const location = await beforeSending(() => requireUnchanged(api, profile, token))
  // A repeat that finds its own work has nothing left to do.
  if (location.kind === 'found') return location.landed
  return landedEdit(profile, await api.edit(token.id, token.text))
}

async function requireUnchanged(api: Api, profile: Profile, token: EditToken) {
  const location = await locateEdit(api, profile, token)
  if (location.kind === 'cannot_tell') throw new ChangedMeanwhile(location.why)
  return location
}
