/** Owns finding out whether a write landed, by what the server shows. Reads only. */

import type { Location } from '../platform.ts'
import { textOf, versionOf } from './api.ts'
import type { Api } from './api.ts'
import { isSameId } from './ids.ts'
import type { Profile } from './profile.ts'
import type { EditToken, ReplyToken } from './token.ts'
import { isSameText } from './text.ts'
import type { Status } from './wire.ts'
import { isEdited, landedEdit, landedReply } from './writing.ts'

/** As many of the account's own posts as are looked through. */
const pages = 10

export async function locateReply(
  api: Api,
  profile: Profile,
  token: ReplyToken,
): Promise<Location> {
  const { accountId } = profile
  const options = { since: token.notBefore, withReplies: true, pages }
  const own = await api.listOwn(accountId, options)
  const isOurs = (status: Status) => isReply(profile, token, status)
  const listed = own.found.findLast(isOurs)
  if (listed !== undefined) return { kind: 'found', landed: landedReply(listed) }
  // Some servers list only what everyone may see; below its post a reply is shown all the same.
  const below = (await api.readDescendants(token.parentId)).find(isOurs)
  if (below !== undefined) return { kind: 'found', landed: landedReply(below) }
  if (own.isWhole) return { kind: 'not_found' }
  return { kind: 'cannot_tell', why: 'The account has posted too much since to look through it.' }
}

function isReply(profile: Profile, token: ReplyToken, status: Status): boolean {
  return (
    status.account.id === profile.accountId &&
    isSameId(profile, status.in_reply_to_id ?? '', token.parentId) &&
    status.created_at >= token.notBefore &&
    isSameText(textOf(status), token.text)
  )
}

export async function locateEdit(api: Api, profile: Profile, token: EditToken): Promise<Location> {
  const read = await api.readStatus(token.id)
  if (read === null) return { kind: 'cannot_tell', why: 'The post is not there any more.' }
  const { status } = read
  if (versionOf(status) === token.baseVersion) return { kind: 'not_found' }
  if (isEdited(status, token)) {
    return { kind: 'found', landed: landedEdit(profile, token, status) }
  }
  return { kind: 'cannot_tell', why: 'Another text stands there; it may have replaced ours.' }
}
