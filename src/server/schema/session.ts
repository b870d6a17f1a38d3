/** Owns who is asking: set-up, signing in, sessions, and tokens for programs. */

import { z } from '@hono/zod-openapi'
import { id, instant, instantIn, orNull, text } from './fields.ts'

/** Each includes those before it. */
export const scopes = ['read', 'approve', 'write', 'admin'] as const
export const scope = z.enum(scopes).openapi('Scope')
export type Scope = z.infer<typeof scope>

export const runMode = z.enum(['demo', 'live']).openapi('RunMode')

export const actor = z
  .object({
    kind: z.enum(['owner', 'token']),
    /** As it stands beside what they decided. */
    name: z.string(),
    scope,
    /** The accounts it may see; null for all. */
    accountIds: z.array(z.string()).nullable(),
  })
  .openapi('Actor')
export type ActorView = z.infer<typeof actor>

/** What anyone may know, and who is signed in. */
export const sessionView = z
  .object({
    mode: runMode,
    /** Nobody has set a password yet: open the link that was printed at the first start. */
    needsSetUp: z.boolean(),
    version: z.string(),
    /** Null where nobody is signed in. */
    actor: orNull(actor),
  })
  .openapi('Session')
export type SessionView = z.infer<typeof sessionView>

export const shortestPassword = 12
const password = z.string().max(1024)
const newPassword = password.min(shortestPassword)

/** With the password, or with a link that a demo or the command line printed. */
export const signInBody = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('password'), password }),
    z.strictObject({ kind: z.literal('link'), token: z.string().max(256) }),
  ])
  .openapi('SignInBody')
export type SignInBody = z.infer<typeof signInBody>

export const setUpBody = z
  .strictObject({ token: z.string().max(256), password: newPassword })
  .openapi('SetUpBody')
export type SetUpBody = z.infer<typeof setUpBody>

export const passwordBody = z
  .strictObject({ current: password, next: newPassword })
  .openapi('PasswordBody')
export type PasswordBody = z.infer<typeof passwordBody>

/** A token without its secret, which is shown once and stored as a hash. */
export const tokenView = z
  .object({
    id: z.string(),
    name: z.string(),
    scope,
    accountIds: z.array(z.string()).nullable(),
    createdAt: instant,
    expiresAt: instant.nullable(),
  })
  .openapi('Token')
export type TokenView = z.infer<typeof tokenView>

export const tokenList = z.object({ items: z.array(tokenView) }).openapi('TokenList')

export const newTokenBody = z
  .strictObject({
    name: text(100).min(1),
    scope,
    accountIds: z.array(id).min(1).max(100).nullable().default(null),
    expiresAt: instantIn.nullable().default(null),
  })
  .openapi('NewTokenBody')
export type NewTokenBody = z.input<typeof newTokenBody>

export const newTokenView = tokenView
  .extend({ secret: z.string().openapi({ description: 'Shown this once' }) })
  .openapi('NewToken')
export type NewTokenView = z.infer<typeof newTokenView>
