/** Owns the answers to "does anything need me?" and "is it running?". */

import { z } from '@hono/zod-openapi'
import { instant, orNull } from './fields.ts'
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

/** One of the workers that share a ledger on Postgres. */
const workerView = z
  .object({
    id: z.string(),
    host: z.string(),
    version: z.string(),
    startedAt: instant,
    seenAt: instant,
    /** Jobs it may do at once, and those that it is doing. */
    places: z.number(),
    busy: z.number(),
    /** Since it started: jobs that it ended, and problems that it met. */
    done: z.number(),
    failed: z.number(),
  })
  .openapi('Worker')
export type WorkerView = z.infer<typeof workerView>

/** How far the workers are, all together. */
const deliveryState = z
  .object({
    at: instant,
    leader: z.string().openapi({ description: 'The worker that hands out what is due' }),
    ready: z.number().openapi({ description: 'Jobs that could begin now, counted up to 2,000' }),
    /** How long the longest due check and action have been waiting. */
    checkLagMs: z.number(),
    actionLagMs: z.number(),
  })
  .openapi('DeliveryState')
export type DeliveryStateView = z.infer<typeof deliveryState>

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
    /** Those that were heard of in the last minute; none where one process does all. */
    workers: z.array(workerView),
    /** Null where no worker leads. */
    delivery: orNull(deliveryState),
  })
  .openapi('System')
export type SystemView = z.infer<typeof systemView>
