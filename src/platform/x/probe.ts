/** Owns finding out who an account is and whether it can edit. Reads only. */

import { dayMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import type { Probed } from '../platform.ts'
import type { Api } from './api.ts'
import type { Profile } from './profile.ts'

const premium = new Set(['basic', 'premium', 'premiumplus'])

/** A window is read off recent posts; older ones had another perhaps. */
const recentMs = 30 * dayMs

export async function probeAccount(
  api: Api,
  before: Profile | null,
  now: Instant,
): Promise<Probed> {
  const { id: userId, username, subscription_type: subscription } = await api.readMe()
  const isPremium = premium.has((subscription ?? '').toLowerCase())
  const profile: Profile = {
    userId,
    username,
    isPremium,
    editWindowMs: isPremium ? await findEditWindow(api, userId, now) : null,
    repliesProven: before?.userId === userId && before.repliesProven,
  }
  return { handle: `@${username}`, profile }
}

async function findEditWindow(api: Api, userId: string, now: Instant): Promise<number | null> {
  const options = { since: now - recentMs, withReplies: false, pages: 1 }
  for (const tweet of (await api.listOwn(userId, options)).found) {
    const { created_at: createdAt, edit_controls: controls } = tweet
    const isFirst = tweet.edit_history_tweet_ids.length === 1
    if (controls?.is_edit_eligible !== true || !isFirst) continue
    const windowMs = controls.editable_until - createdAt
    if (windowMs > 0) return windowMs
  }
  return null
}
