/**
 * Reads posts from JSON: a list of posts, each with an `id`, its `publishedAt` and its `samples`.
 * Times are ISO 8601 with offset. The error names the first field that cannot be used.
 */

import { z } from 'zod'
import { InputError, parseWith } from '../../core/input-error.ts'
import { parseInstant } from '../../core/instant.ts'
import { recordedFrom } from './recorded-post.ts'
import type { RecordedPost } from './recorded-post.ts'

const count = z.number().nonnegative()

const postSchema = z.strictObject({
  id: z.string().min(1),
  account: z.string().min(1).optional(),
  platform: z.string().min(1).optional(),
  publishedAt: z.string(),
  /** Whether someone acted on it while it was recorded. */
  actedOn: z.boolean().optional(),
  samples: z.array(
    z.strictObject({
      at: z.string(),
      engagements: count,
      impressions: count.nullable().optional(),
    }),
  ),
})

/** `name` is that of the file; it stands for platform and account where a post names none. */
export function readJson(text: string, name: string): readonly RecordedPost[] {
  const value = parseText(text, name)
  if (!Array.isArray(value)) throw new InputError(name, 'must be a list of posts: [{ … }, …]')
  if (value.length === 0) throw new InputError(name, 'holds no post')
  return value.map((given, index) => readPost(given, `${name}[${index}]`, name))
}

function parseText(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new InputError(name, `is not JSON: ${why}`)
  }
}

function readPost(given: unknown, field: string, name: string): RecordedPost {
  const post = parseWith(postSchema, given, field)
  const platform = post.platform ?? name
  return recordedFrom(
    {
      id: post.id,
      account: post.account === undefined ? platform : `${platform}/${post.account}`,
      platform,
      publishedAt: parseInstant(post.publishedAt, `${field}.publishedAt`),
      weight: 1,
      actedOn: post.actedOn ?? false,
    },
    post.samples.map(({ at, engagements, impressions = null }, index) => ({
      at: parseInstant(at, `${field}.samples[${index}].at`),
      engagements,
      impressions,
    })),
  )
}
