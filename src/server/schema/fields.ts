/** Owns the fields that several resources share. Instants are ISO 8601 outside, with an offset. */

import { z } from '@hono/zod-openapi'
import { actions, tiers } from '../../core/action.ts'
import { longestMs } from '../../core/duration.ts'
import { InputError } from '../../core/input-error.ts'
import { parseInstant } from '../../core/instant.ts'
import { states } from '../../core/states.ts'
import { modes } from '../../ledger/rows.ts'

/** As it is answered. */
export const instant = z
  .string()
  .openapi({ format: 'date-time', example: '2026-07-15T09:15:17+00:00' })

/** As it is asked with; becomes epoch milliseconds. */
export const instantIn = z
  .string()
  .max(64)
  .openapi({ format: 'date-time', example: '2026-07-15T09:15:17+00:00' })
  .transform((text, context) => {
    try {
      return parseInstant(text, 'time')
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      context.addIssue({ code: 'custom', message: error.message.slice(error.field.length + 2) })
      return z.NEVER
    }
  })

/** Text that every store gives back unchanged. */
export const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      error: 'holds a character that cannot be stored: NUL, or half of a surrogate pair',
    })

/** An id of an account, a post, an action… Whoever makes it up, it is stored as it is. */
export const id = text(512).min(1)

/** An address of the web, as it was given. */
export const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine((value) => value.isWellFormed() && !value.includes('\0'), {
    error: 'holds a character that cannot be stored',
  })

export const count = z.number().nonnegative()
export const duration = z.number().nonnegative().max(longestMs)
export const score = z.number().min(0).max(1)
export const action = z.enum(actions).openapi('ActionKind')
export const tier = z.enum(tiers).openapi('Tier')
export const state = z.enum(states).openapi('State')
export const mode = z.enum(modes).openapi('Mode')

/** Anything JSON can hold, as a connector or an outcome has it. */
export const json = z.unknown().openapi({ description: 'Any JSON' })

/** For schemas with a name: `nullable()` would make every use of the name nullable in OpenAPI. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.null()])

export const largestPage = 200
const standardPage = 50

/** Give the `next` of one page as the `cursor` of the one after it. */
export const pageQuery = {
  cursor: text(512).min(1).optional(),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(largestPage)
    .default(standardPage)
    .openapi({ type: 'integer', minimum: 1, maximum: largestPage }),
}

export function pageOf<Item extends z.ZodType>(item: Item, name: string) {
  return z
    .object({
      items: z.array(item),
      /** Null on the last page. */
      next: z.string().nullable(),
    })
    .openapi(name)
}

/** One value, or several with the name repeated: `?state=planned&state=approved`. */
export function oneOrMore<Item extends z.ZodType<string>>(item: Item) {
  return z
    .union([item.transform((value) => [value]), z.array(item).max(50)])
    .openapi({ type: 'array', items: { type: 'string' } })
    .optional()
}

export const yesOrNo = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .openapi({ type: 'boolean' })

/** Until when something holds. */
export const until = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('time'), at: instant }),
    z.object({
      kind: z.literal('event'),
      event: z.enum(['approval', 'resume', 'next_look', 'action_ended', 'next_sample', 'review']),
    }),
    z.object({ kind: z.literal('never') }),
  ])
  .openapi('Until')
export type UntilView = z.infer<typeof until>

/** RFC 9457. `errors` names each field and what to do about it. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    errors: z.array(z.object({ field: z.string(), problem: z.string() })).optional(),
  })
  .openapi('Problem')
export type ProblemView = z.infer<typeof problem>
