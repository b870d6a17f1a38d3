/** Owns finding out whether a write landed, by what X shows. Reads only. */

import type { Landed, Location } from '../platform.ts'
import { newestId, urlOf } from './api.ts'
import type { Api } from './api.ts'
import type { Profile } from './profile.ts'
import { parentOf } from './reading.ts'
import { isSameText, textOf } from './text.ts'
import type { EditToken, ReplyToken } from './token.ts'
import type { Tweet } from './wire.ts'

/** As many of the account's own posts as are looked through. */
const pages = 5

/** The account's replies to the same post with the same text, the oldest first. */
export async function listMatching(
  api: Api,
  { userId }: Profile,
  { parentId, text, notBefore: since }: Pick<ReplyToken, 'parentId' | 'text' | 'notBefore'>,
): Promise<{ readonly found: readonly Tweet[]; readonly isWhole: boolean }> {
  const own = await api.listOwn(userId, { since, withReplies: true, pages })
  const found = own.found
    .filter((tweet) => parentOf(tweet) === parentId && isSameText(textOf(tweet), text))
    .toSorted((a, b) => a.created_at - b.created_at)
  return { found, isWhole: own.isWhole }
}

export async function locateReply(
  api: Api,
  profile: Profile,
  token: ReplyToken,
): Promise<Location> {
  const { found, isWhole } = await listMatching(api, profile, token)
  const ours = found.find(({ id }) => !token.known.includes(id))
  if (ours !== undefined) return { kind: 'found', landed: landedReply(profile, ours.id) }
  if (isWhole) return { kind: 'not_found' }
  return { kind: 'cannot_tell', why: 'The account has posted too much since to look through it.' }
}

export async function locateEdit(api: Api, profile: Profile, token: EditToken): Promise<Location> {
  const found = await api.readOne(token.id)
  if (found?.kind !== 'live') {
    return { kind: 'cannot_tell', why: 'The post is not there any more.' }
  }
  const newest = newestId(found.tweet)
  if (newest === token.id) return { kind: 'not_found' }
  const shown = await api.readOne(newest)
  if (shown?.kind === 'live' && isSameText(textOf(shown.tweet), token.text)) {
    return { kind: 'found', landed: landedEdit(profile, newest) }
  }
  return { kind: 'cannot_tell', why: 'Another text stands there; it may have replaced ours.' }
}

export function landedReply({ username }: Profile, id: string): Landed {
  const url = urlOf(username, id)
  return { remoteId: id, url, remoteIds: [id], postRemoteId: null, contentVersion: null }
}

export function landedEdit({ username }: Profile, id: string): Landed {
  const url = urlOf(username, id)
  return { remoteId: id, url, remoteIds: [id], postRemoteId: id, contentVersion: id }
}
