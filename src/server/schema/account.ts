/** Owns accounts: connected? allowed? what can be done there, and within which limits? */

import { z } from '@hono/zod-openapi'
import { isTimeZone } from '../../core/time-zone.ts'
import { action, id, instant, json, mode, score, text } from './fields.ts'

/** What the network lets this account do. */
const capability = z.object({
  action,
  supported: z.boolean(),
  /** Why not; null where it is supported. */
  why: z.string().nullable(),
  /** A: a repeat is ignored; B: it can be read back; C: neither. */
  writeClass: z.enum(['A', 'B', 'C']).nullable(),
  /** How long after publication; null where there is no limit. */
  withinMs: z.number().nullable(),
  canUndo: z.boolean(),
})

export const accountView = z
  .object({
    id: z.string(),
    platform: z.string(),
    platformTitle: z.string(),
    handle: z.string(),
    mode,
    timeZone: z.string(),
    /** As `name@version`. */
    policy: z.string(),
    holdoutShare: z.number(),
    status: z.enum(['active', 'parked', 'erased']),
    /** Why it is parked. */
    statusReason: z.string().nullable(),
    hasCredentials: z.boolean(),
    createdAt: instant,
    /** When its timeline is read next. */
    discoverAt: instant.nullable(),
    /** `external`: its counters are pushed and it has no connector; it stays in `watch`. */
    isExternal: z.boolean(),
  })
  .openapi('Account')
export type AccountView = z.infer<typeof accountView>

export const accountList = z.object({ items: z.array(accountView) }).openapi('AccountList')

export const accountDetail = accountView
  .extend({
    capabilities: z.array(capability),
    /** Null where there is no connector. */
    limits: z
      .object({
        maximumLength: z.number(),
        threadMaximum: z.number(),
        hasImpressions: z.boolean(),
        counters: z.array(z.string()),
        counterLagMs: z.number(),
        rates: z.array(z.object({ name: z.string(), windowMs: z.number(), maximum: z.number() })),
      })
      .nullable(),
    /** What the connector last read of the account and its server. */
    profile: json,
  })
  .openapi('AccountDetail')
export type AccountDetail = z.infer<typeof accountDetail>

const timeZone = z.string().max(64).refine(isTimeZone, {
  error: 'is not an IANA time zone; write it like Europe/Berlin or UTC',
})
const policyName = z.string().regex(/^[a-z][a-z0-9-]{0,63}@[1-9][0-9]{0,8}$/, {
  error: 'must be a policy and its version, like standard@1',
})

const settings = {
  mode: mode.optional(),
  policy: policyName.optional(),
  timeZone: timeZone.optional(),
  /** The share of eligible posts that is left alone, to measure lift. */
  holdoutShare: score.optional(),
}

export const accountChange = z.strictObject(settings).openapi('AccountChange')
export type AccountChange = z.infer<typeof accountChange>

const values = z.record(z.string().max(64), z.string().max(4096)).default({})

/** Connects an account with what is entered, or adds one whose counters will be pushed. */
export const newAccountBody = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('direct'),
      platform: z.string().max(64),
      signIn: z.string().max(64),
      values,
      ...settings,
    }),
    z.strictObject({
      kind: z.literal('external'),
      handle: text(256).min(1),
      policy: policyName.optional(),
      timeZone: timeZone.optional(),
    }),
  ])
  .openapi('NewAccountBody')
export type NewAccountBody = z.input<typeof newAccountBody>

export const beginSignInBody = z
  .strictObject({
    platform: z.string().max(64),
    signIn: z.string().max(64),
    values,
    /** Signs this account in again instead of adding one. */
    accountId: id.optional(),
  })
  .openapi('BeginSignInBody')
export type BeginSignInBody = z.input<typeof beginSignInBody>

/** Send the person to `url`; the network sends them back to `/sign-in/callback`. */
export const begunSignIn = z
  .object({ url: z.string(), state: z.string(), expiresAt: instant })
  .openapi('BegunSignIn')
export type BegunSignIn = z.infer<typeof begunSignIn>

/** The whole address to which the browser was sent back. */
export const finishSignInBody = z
  .strictObject({ state: z.string().max(512), answer: z.string().max(8192) })
  .openapi('FinishSignInBody')
export type FinishSignInBody = z.infer<typeof finishSignInBody>

/** Signs an account in again, after its credentials died. */
export const reconnectBody = z
  .strictObject({ signIn: z.string().max(64), values })
  .openapi('ReconnectBody')
export type ReconnectBody = z.input<typeof reconnectBody>

/** A test reads and writes nothing on the network. */
export const accountTest = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('ok'), handle: z.string(), profile: json }),
    z.object({ kind: z.literal('failed'), code: z.string(), detail: z.string() }),
  ])
  .openapi('AccountTest')
export type AccountTest = z.infer<typeof accountTest>

/** A trial writes on the network and takes that away again. */
export const accountProof = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('ok'),
      /** What was found and what follows, in a sentence. */
      finding: z.string(),
      profile: json,
      /** What could not be taken away again, by the network's ids. */
      leftOver: z.array(z.string()),
    }),
    z.object({
      kind: z.literal('failed'),
      code: z.string(),
      detail: z.string(),
      /** Something of it may still be there. */
      mayBeLeft: z.boolean(),
    }),
  ])
  .openapi('AccountProof')
export type AccountProof = z.infer<typeof accountProof>
