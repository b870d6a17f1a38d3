/** Owns what is known of an account beside its credentials. There is no secret in it. */

import { z } from 'zod'
import type { Json } from '../../core/json.ts'

const profileSchema = z.object({
  did: z.string(),
  pds: z.string(),
  /** The owner asked for edits, knowing that the main app does not show them. */
  edits: z.boolean(),
})

export type Profile = z.infer<typeof profileSchema>

/** Null before the first probe. */
export function readProfile(profile: Json): Profile | null {
  const parsed = profileSchema.safeParse(profile)
  return parsed.success ? parsed.data : null
}
