/** Owns carrying out a prepared write, with one irreversible call, and taking it back. */

import type { Instant } from '../../core/instant.ts'
import type { Random } from '../../core/random.ts'
import { beforeSending, ChangedMeanwhile } from '../oauth/api-error.ts'
import type { Landed } from '../platform.ts'
import { textOf, versionOf } from './api.ts'
import type { Api } from './api.ts'
import { isSameId } from './ids.ts'
import type { Profile } from './profile.ts'
import type { EditToken, ReplyToken } from './token.ts'
import { isSameText } from './text.ts'
import type { Status } from './wire.ts'

/** These keep errors under a key too: what failed once would fail with it for ever. */
const keepErrors = new Set(['pleroma', 'akkoma'])

export async function sendReply(
  api: Api,
  profile: Profile,
  token: ReplyToken,
  random: Random,
): Promise<Landed> {
  // Some servers take a reply to a post that is gone, and show it as a post.
  await beforeSending(async () => {
    if ((await api.readStatus(token.parentId)) !== null) return
    throw new ChangedMeanwhile('The post to reply to is not there any more.')
  })
  // A repeat comes here only where nothing of the first landed, unless the key was proven.
  const fresh = keepErrors.has(profile.software) ? `:${random.id()}` : ''
  return landedReply(await api.create(token, `${token.idempotencyKey}${fresh}`))
}

export async function sendEdit(
  api: Api,
  profile: Profile,
  token: EditToken,
  now: Instant,
): Promise<Landed> {
  const before = await beforeSending(() => requireUnchanged(api, token))
  // A repeat that finds its own work has nothing left to do.
  if (isEdited(before, token)) return landedEdit(profile, token, before)
  return landedEdit(profile, token, await api.update(before.id, token.text, token.kept, now))
}

async function requireUnchanged(api: Api, token: EditToken): Promise<Status> {
  const read = await api.readStatus(token.id)
  if (read === null) throw new ChangedMeanwhile('The post is not there any more.')
  const { status } = read
  if (versionOf(status) === token.baseVersion || isEdited(status, token)) return status
  throw new ChangedMeanwhile('The owner changed the post meanwhile.')
}

/** The post shows what the edit was to make of it. */
export function isEdited(status: Status, token: EditToken): boolean {
  return versionOf(status) !== token.baseVersion && isSameText(textOf(status), token.text)
}

export async function undoReply(api: Api, landed: Landed): Promise<void> {
  // From the end, so that nothing hangs on a post that is gone.
  for (const id of landed.remoteIds.toReversed()) await api.remove(id)
}

export async function undoEdit(api: Api, token: EditToken, now: Instant): Promise<void> {
  const before = await beforeSending(async () => {
    const status = (await api.readStatus(token.id))?.status ?? null
    if (status === null || isSameText(textOf(status), token.baseText)) return null
    if (!isEdited(status, token)) throw new ChangedMeanwhile('The owner changed the post since.')
    return status
  })
  if (before !== null) await api.update(before.id, token.baseText, token.kept, now)
}

export function landedReply({ id, url }: Status): Landed {
  return {
    remoteId: id,
    url: url ?? null,
    remoteIds: [id],
    postRemoteId: null,
    contentVersion: null,
  }
}

export function landedEdit(profile: Profile, token: EditToken, status: Status): Landed {
  const { id, url } = status
  if (!isSameId(profile, id, token.id)) throw new Error('The server edited another post')
  return {
    remoteId: id,
    url: url ?? null,
    remoteIds: [id],
    postRemoteId: id === token.id ? null : id,
    contentVersion: versionOf(status),
  }
}
