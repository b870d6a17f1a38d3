/** Owns what a probe, and what trials that the owner asked for, keep of an account. */

import { z } from 'zod'
import { parseWith } from '../../core/input-error.ts'
import type { Json } from '../../core/json.ts'

const profileSchema = z.strictObject({
  userId: z.string(),
  username: z.string(),
  /** The account pays for Premium, which edits need. */
  isPremium: z.boolean(),
  /** How long after publication its newest post could be edited; null where there was none. */
  editWindowMs: z.number().positive().nullable(),
  /** A trial showed that the account may reply to its own posts through the API. */
  repliesProven: z.boolean(),
})

export type Profile = z.infer<typeof profileSchema>

/** Null before the first probe. */
export function parseProfile(profile: Json): Profile | null {
  return profile === null ? null : parseWith(profileSchema, profile, 'profile')
}
