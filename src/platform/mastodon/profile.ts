/** Owns what a probe keeps of an account and its server. It decides what can be done there. */

import { z } from 'zod'
import { parseWith } from '../../core/input-error.ts'
import type { Json } from '../../core/json.ts'

const profileSchema = z.strictObject({
  /** In lower case, as servers call themselves: mastodon, pleroma, gotosocial, snac… */
  software: z.string(),
  version: z.string(),
  accountId: z.string(),
  maximumCharacters: z.int().positive(),
  charactersPerUrl: z.int().positive(),
  canEdit: z.boolean(),
  /** Several posts in one read. */
  canReadMany: z.boolean(),
  canDelete: z.boolean(),
  /**
   * How long a repeated Idempotency-Key is recognised, where a trial with this version proved that
   * it is; null where nobody tried, or it is not.
   */
  keyKeptMs: z.number().positive().nullable(),
})

export type Profile = z.infer<typeof profileSchema>

/** Null before the first probe. */
export function parseProfile(profile: Json): Profile | null {
  return profile === null ? null : parseWith(profileSchema, profile, 'profile')
}
