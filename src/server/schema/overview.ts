/** Owns the answers to "does anything need me?" and "is it running?". */

import { z } from '@hono/zod-openapi'
import { instant } from './fields.ts'
import { runMode } from './session.ts'

export const overviewView = z
  .object({
    /** Posts that are watched, and those of them that stalled at their latest look. */
    watched: z.number(),
    stalled: z.number(),
    awaitingApproval: z.number(),
    approved: z.number(),
    running: z.number(),
    waiting: z.number(),
    unknown: z.number(),
    needsAttention: z.number(),
    sentLast24h: z.number(),
    failedLast24h: z.number(),
    parkedAccounts: z.number(),
    /** When the first approval runs out. */
    nextApprovalExpiresAt: instant.nullable(),
    /** Accounts by mode; what the banner says follows from it. */
    accounts: z.object({ watch: z.number(), approve: z.number(), auto: z.number() }),
    pauses: z.number(),
    now: instant,
  })
  .openapi('Overview')
export type OverviewView = z.infer<typeof overviewView>

export const systemView = z
  .object({
    version: z.string(),
    mode: runMode,
    /** The ledger's time. */
    now: instant,
    startedAt: instant,
    ledger: z.string().openapi({ description: 'Where it is kept: memory, sqlite or postgres' }),
    engine: z.object({
      /** `elsewhere`: another process works; `stuck`: what is due is not done. */
      state: z.enum(['working', 'stuck', 'elsewhere']),
      lastTurnAt: instant.nullable(),
      /** How long the longest due piece of work has been waiting. */
      overdueMs: z.number(),
      nextDueAt: instant.nullable(),
      /** What went wrong lately, newest first. */
      problems: z.array(
        z.object({ at: instant, work: z.string(), id: z.string(), message: z.string() }),
      ),
    }),
    streams: z.number().openapi({ description: 'Open event streams of this process' }),
  })
  .openapi('System')
export type SystemView = z.infer<typeof systemView>
