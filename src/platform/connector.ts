/**
 * Owns what a folder of one network offers: the platform itself and the ways to sign in to it. The
 * command line, the server and the engine meet a network only through this.
 */

import type { Clock } from '../core/clock.ts'
import type { Json } from '../core/json.ts'
import type { Random } from '../core/random.ts'
import type { Secret } from '../core/secret.ts'
import type { GuardedSocket } from './fetch/guarded-socket.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import type { CallOptions, Platform } from './platform.ts'

/** All that a connector may use. It reaches for nothing else. */
export interface ConnectorTools {
  readonly fetch: GuardedFetch
  /** For networks that speak over WebSockets. */
  readonly socket: GuardedSocket
  readonly clock: Clock
  readonly random: Random
}

export interface Connector {
  /** As in an account's `platform`: lower case. */
  readonly name: string
  /** As people write it. */
  readonly title: string
  create(tools: ConnectorTools): Platform
  /** The first is the one to recommend. */
  readonly signIns: readonly SignIn[]
  /** Left out where reading tells everything. */
  readonly trial?: Trial
}

/**
 * Finds out what only trying shows. It writes on the network and takes that away again, so the
 * owner asks for it, and the engine never does.
 */
export interface Trial {
  /** What it finds out, beginning with `whether`. */
  readonly question: string
  /** What it does on the network for that, in whole sentences. */
  readonly steps: string
  run(tools: ConnectorTools, options: CallOptions): Promise<TrialResult>
}

export interface TrialResult {
  /** The profile with what was found, to be stored in the place of the one before. */
  readonly profile: Json
  /** What was found and what follows, in a sentence. */
  readonly finding: string
  /** What could not be taken away again, by the network's ids. */
  readonly leftOver: readonly string[]
}

/** Something a person is asked for. */
export interface SignInField {
  readonly name: string
  readonly label: string
  /** What to enter and where to find it. */
  readonly hint: string
  /** Not shown while it is typed, and never printed. */
  readonly isSecret: boolean
  /** What is taken where nothing is entered; null where something must be. */
  readonly fallback: string | null
}

/** Values by the names of the fields, as they were entered. */
export type SignInValues = Readonly<Record<string, string>>

export type SignIn =
  /** What is entered is all that is needed: an app password, an access token, a key. */
  | {
      readonly kind: 'direct'
      readonly name: string
      readonly title: string
      readonly fields: readonly SignInField[]
      /** Rejects with an `InputError` that names the field where a value is wrong. */
      open(tools: ConnectorTools, values: SignInValues, signal: AbortSignal): Promise<SignedIn>
    }
  /** The person agrees in a browser and comes back with a code. */
  | {
      readonly kind: 'browser'
      readonly name: string
      readonly title: string
      readonly fields: readonly SignInField[]
      /** What the network reads about this program, where it asks for that instead of a key. */
      readonly clientDocument?: (redirectUri: string) => ClientDocument
      begin(tools: ConnectorTools, request: BrowserRequest): Promise<BrowserVisit>
      /** `answer` is the whole address to which the browser was sent back. */
      finish(
        tools: ConnectorTools,
        visit: { readonly pending: Secret; readonly answer: string },
        signal: AbortSignal,
      ): Promise<SignedIn>
    }

/** Shown to anyone at this path, beside the place where the browser comes back to. */
export interface ClientDocument {
  readonly path: string
  readonly document: Json
}

export interface BrowserRequest {
  readonly values: SignInValues
  /** Where the network sends the browser back to. */
  readonly redirectUri: string
  readonly signal: AbortSignal
}

export interface BrowserVisit {
  /** Where the person goes to agree. */
  readonly url: string
  /** What `finish` needs; kept sealed until then. */
  readonly pending: Secret
  /** Comes back in the answer, so that it can be matched to its visit. */
  readonly state: string
}

export interface SignedIn {
  readonly handle: string
  readonly credentials: Secret
  readonly profile: Json
}
