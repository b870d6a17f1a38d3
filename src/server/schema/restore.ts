/** Owns what comes of matching an account with its timeline after a restore. */

import { z } from '@hono/zod-openapi'
import { actionView } from './action.ts'
import { instant, instantIn } from './fields.ts'

export const matchBody = z
  .strictObject({
    /** When the backup was made; left out where the ledger knows. */
    since: instantIn.optional(),
  })
  .openapi('MatchBody')
export type MatchBody = z.input<typeof matchBody>

/** A reply of the account's own since the backup that the ledger did not make. */
const foundReply = z.object({ postId: z.string(), remoteId: z.string(), at: instant })

export const accountMatch = z
  .discriminatedUnion('kind', [
    /** No restore has paused the account. */
    z.object({ kind: z.literal('not_restored') }),
    z.object({ kind: z.literal('failed'), code: z.string(), detail: z.string() }),
    z.object({
      kind: z.literal('read'),
      /** How many posts were read. */
      posts: z.number(),
      /** Ids of posts that could not be. */
      unread: z.array(z.string()),
      /** They count in windows and cooldowns now. */
      replies: z.array(foundReply),
      /** A reply that was found may be theirs, so they are not sent again. */
      cancelled: z.array(actionView),
      /** Threads of which nobody knows how far they got; someone has to look. */
      doubtful: z.array(actionView),
      /** What else the backup brought back that has not ended. */
      open: z.array(actionView),
      /** `paused_before`: the pause that the owner had set before stands again. */
      pause: z.enum(['lifted', 'paused_before', 'kept']),
    }),
  ])
  .openapi('AccountMatch')
export type AccountMatch = z.infer<typeof accountMatch>
