/** Nothing is sent while everything, the platform or the account is paused (I11). */

import { z } from 'zod'
import { untilEvent } from '../until.ts'
import { formatInstant } from '../instant.ts'
import { defineGuard, hold, pass } from './guard.ts'

const notPaused = pass('paused', { scope: null, sinceAt: null, reason: null })

export const paused = defineGuard({
  settings: z.strictObject({ guard: z.literal('paused') }),
  check({ input }) {
    const first = input.pauses[0]
    if (first === undefined) return notPaused
    const facts = { scope: first.scope, sinceAt: first.since, reason: first.reason }
    return hold('paused', facts, untilEvent('resume'))
  },
  describe(facts: { scope: string | null; sinceAt: number | null; reason: string | null }) {
    if (facts.scope === null || facts.sinceAt === null) return 'nothing is paused'
    const what = facts.scope === 'everything' ? 'everything' : `the ${facts.scope}`
    return `${what} is paused since ${formatInstant(facts.sinceAt)} (${facts.reason})`
  },
})
