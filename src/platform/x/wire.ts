/** Owns the shapes of X's answers, as far as they are used. All else is ignored. */

import { z } from 'zod'
import { parseInstant } from '../../core/instant.ts'
import type { Instant } from '../../core/instant.ts'

const instant = z.string().transform((text, context): Instant => {
  try {
    return parseInstant(text, 'time')
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a time' })
    return z.NEVER
  }
})

const counter = z.int().nonnegative().optional()

const link = z.object({
  url: z.string(),
  expanded_url: z.string().optional(),
  /** Set where the link stands for a picture or a film of the post itself. */
  media_key: z.string().optional(),
})

const entities = z.object({ urls: z.array(link).optional() }).optional()

export const tweetSchema = z.object({
  id: z.string().min(1),
  text: z.string(),
  created_at: instant,
  author_id: z.string().optional(),
  entities,
  /** All of a text that is longer than usual. */
  note_tweet: z.object({ text: z.string(), entities }).optional(),
  edit_history_tweet_ids: z.array(z.string()).min(1),
  edit_controls: z
    .object({
      is_edit_eligible: z.boolean(),
      editable_until: instant,
      edits_remaining: z.int(),
    })
    .optional(),
  attachments: z
    .object({ media_keys: z.array(z.string()), poll_ids: z.array(z.string()) })
    .partial()
    .optional(),
  referenced_tweets: z.array(z.object({ type: z.string(), id: z.string() })).optional(),
  public_metrics: z
    .object({
      retweet_count: counter,
      reply_count: counter,
      like_count: counter,
      quote_count: counter,
      bookmark_count: counter,
      impression_count: counter,
    })
    .optional(),
})
export type Tweet = z.infer<typeof tweetSchema>

/** What is asked for of every post; `tweetSchema` names the same. */
export const tweetFields = [
  'attachments',
  'author_id',
  'created_at',
  'edit_controls',
  'edit_history_tweet_ids',
  'entities',
  'note_tweet',
  'public_metrics',
  'referenced_tweets',
].join(',')

/** Why one of several things is missing from an answer that is otherwise a success. */
const missing = z.object({ type: z.string(), resource_id: z.string().optional() })

export const tweetsSchema = z.object({
  data: z.array(tweetSchema).optional(),
  errors: z.array(missing).optional(),
})

export const timelineSchema = tweetsSchema.extend({
  meta: z.object({ next_token: z.string().optional() }).optional(),
})

export const createdSchema = z.object({
  data: z.object({ id: z.string().min(1), edit_history_tweet_ids: z.array(z.string()).optional() }),
})

export const deletedSchema = z.object({ data: z.object({ deleted: z.boolean() }) })

export const userSchema = z.object({
  data: z.object({
    id: z.string().min(1),
    username: z.string().min(1),
    subscription_type: z.string().optional(),
  }),
})

export const problemSchema = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  type: z.string().optional(),
})
