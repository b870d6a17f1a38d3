/** Owns pauses: when one is acknowledged, nothing new is sent. */

import { z } from '@hono/zod-openapi'
import { actionView } from './action.ts'
import { instant, instantIn, text } from './fields.ts'

const pauseScope = z.enum(['everything', 'platform', 'account'])

export const pauseView = z
  .object({
    scope: pauseScope,
    /** The account or platform; empty for everything. */
    target: z.string(),
    since: instant,
    /** When it ends by itself; null where someone has to resume. */
    until: instant.nullable(),
    reason: z.string(),
    by: z.string(),
    /** Where a restore has paused the account, until it was matched with its network. */
    restore: z
      .object({
        /** Null where whoever restored it has to say. */
        backupAt: instant.nullable(),
      })
      .nullable(),
  })
  .openapi('Pause')
export type PauseView = z.infer<typeof pauseView>

export const pauseList = z.object({ items: z.array(pauseView) }).openapi('PauseList')

export const pauseBody = z
  .strictObject({
    scope: pauseScope,
    target: text(512).default(''),
    reason: text(1000).default(''),
    until: instantIn.nullable().default(null),
  })
  .openapi('PauseBody')
export type PauseBody = z.input<typeof pauseBody>

/** What was sent before the pause and has not been settled. */
export const paused = z
  .object({ pauses: z.array(pauseView), inFlight: z.array(actionView) })
  .openapi('Paused')
export type Paused = z.infer<typeof paused>

export const resumeQuery = z.object({ scope: pauseScope, target: text(512).default('') })
