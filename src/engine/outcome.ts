/** Owns what is stored about an action that landed: where it can be seen, and under which ids. */

import { z } from 'zod'
import type { Json } from '../core/json.ts'
import type { PostContent } from '../ledger/store.ts'
import type { Landed } from '../platform/platform.ts'

const outcomeSchema = z.object({
  remoteIds: z.array(z.string()),
  url: z.string().nullable(),
  /** Only a part of a thread is out, and no more will follow. */
  partial: z.boolean(),
})

export type Outcome = z.infer<typeof outcomeSchema>

export function toOutcome(parts: readonly Landed[], partial: boolean): Outcome {
  return {
    remoteIds: parts.flatMap(({ remoteIds }) => remoteIds),
    url: parts[0]?.url ?? null,
    partial,
  }
}

/** What an edit made of the post, some of which networks change with it. */
export function postContentOf(edited: Landed, text: string | null): Omit<PostContent, 'postId'> {
  const { postRemoteId, remoteId, contentVersion } = edited
  return { remoteId: postRemoteId ?? remoteId, contentVersion, text }
}

/** The network's ids of what an action made; none where it made nothing, or nothing is known. */
export function landedIds(outcome: Json): readonly string[] {
  const parsed = outcomeSchema.safeParse(outcome)
  return parsed.success ? parsed.data.remoteIds : []
}
