/** Owns what travels with one request, and what all routes share. */

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Baselines } from '../engine/baselines.ts'
import type { Actor } from './auth/actor.ts'
import type { Owner } from './auth/owner.ts'
import type { Sessions } from './auth/sessions.ts'
import type { Throttle } from './auth/throttle.ts'
import type { Tokens } from './auth/tokens.ts'
import type { LiftReports } from './lift-reports.ts'
import type { Metrics } from './metrics.ts'
import type { Networks } from './networks.ts'
import type { ServerParts, ServerSettings } from './parts.ts'
import type { EventTail } from './stream.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

export interface AppEnv {
  /** `actor` is set by who calls from the same process; no request can bring one along. */
  Bindings: Partial<HttpBindings> & { readonly actor?: Actor }
  Variables: {
    requestId: string
    /** Null where nobody is signed in. */
    actor: Actor | null
    /** Its answer holds a secret and is not kept for a repeat. */
    isSecretAnswer: boolean | undefined
  }
}

export type AppContext = Context<AppEnv>

/** What the routes work with. */
export interface Services extends Omit<ServerParts, 'settings'> {
  readonly settings: ServerSettings
  /** By the clock that only ever grows. */
  readonly startedMs: number
  readonly owner: Owner
  readonly sessions: Sessions
  readonly tokens: Tokens
  readonly logins: { readonly byAddress: Throttle; readonly ofAll: Throttle }
  readonly networks: Networks
  readonly baselines: Baselines
  readonly liftReports: LiftReports
  readonly tail: EventTail
  readonly webhooks: Webhooks
  readonly metrics: Metrics
}
