/**
 * Owns what the server needs to know of networks: what can be done on an account, and signing in.
 * It never writes there; sending is the engine's, but for trials, which routes/trials.ts runs.
 */

import type { Clock } from '../core/clock.ts'
import type { AccountId } from '../core/ids.ts'
import { InputError, shown } from '../core/input-error.ts'
import type { Random } from '../core/random.ts'
import { splitSegments } from '../core/segments.ts'
import { Renewal } from '../engine/renewal.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Secret } from '../core/secret.ts'
import type { AccountRow, ActionRow } from '../ledger/rows.ts'
import type { Connector, SignIn, SignInValues, Trial } from '../platform/connector.ts'
import type { Connection, Description, Platform } from '../platform/platform.ts'
import type { Sealer } from '../vault/vault.ts'
import { wrongField } from './problem.ts'

/** Accounts of no network: their counters are pushed, and others do what the verdict says. */
export const externalPlatform = 'external'

export interface NetworkParts {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly random: Random
  readonly connectors: readonly Connector[]
  readonly platforms: readonly Platform[]
  readonly vault: Sealer
}

export class Networks {
  readonly connectors: readonly Connector[]
  readonly #platforms: ReadonlyMap<string, Platform>
  readonly #vault: Sealer
  readonly #renewal: Renewal

  constructor(parts: NetworkParts) {
    const { ledger, clock, random } = parts
    this.connectors = parts.connectors
    this.#platforms = new Map(parts.platforms.map((platform) => [platform.name, platform]))
    this.#vault = parts.vault
    this.#renewal = new Renewal({
      ledger,
      clock,
      random,
      open: (account) => this.#open(account),
      seal: (id, secret) => this.seal(secret, id),
    })
  }

  titleOf(name: string): string {
    if (name === externalPlatform) return 'Pushed counters'
    return this.connectors.find((connector) => connector.name === name)?.title ?? name
  }

  platformOf({ platform }: Pick<AccountRow, 'platform'>): Platform | null {
    return this.#platforms.get(platform) ?? null
  }

  /** Null where there is nothing to try out. */
  trialOf({ platform }: Pick<AccountRow, 'platform'>): Trial | null {
    return this.connectors.find(({ name }) => name === platform)?.trial ?? null
  }

  /** As far as it is known without asking the network; null where there is no connector. */
  describe(account: AccountRow): Description | null {
    const platform = this.platformOf(account)
    const { id, handle, profile } = account
    const connection = { accountId: id, handle, credentials: null, profile, renew: null }
    return platform?.describe(connection) ?? null
  }

  /** For one call; credentials that do not open are an error of the vault's. */
  connect(account: AccountRow): Connection {
    const { id, handle, profile } = account
    const renew = this.#renewal.renewFor(account)
    return { accountId: id, handle, credentials: this.#open(account), profile, renew }
  }

  seal(secret: Secret, accountId: AccountId): string {
    return this.#vault.seal(secret, { accountId, purpose: 'credentials' })
  }

  #open({ id, credentials }: AccountRow): Secret | null {
    if (credentials === null) return null
    return this.#vault.open(credentials, { accountId: id, purpose: 'credentials' })
  }

  findSignIn<Kind extends SignIn['kind']>(
    platform: string,
    name: string,
    kind: Kind,
  ): { readonly connector: Connector; readonly signIn: Extract<SignIn, { kind: Kind }> } {
    const connector = this.connectors.find((each) => each.name === platform)
    if (connector === undefined) {
      const known = this.connectors.map((each) => each.name).join(', ') || 'none'
      throw wrongField('platform', `${shown(platform)} is not on offer; there are: ${known}`)
    }
    const signIn = connector.signIns.find((each) => each.name === name)
    if (signIn?.kind !== kind) {
      const fitting = connector.signIns.filter((each) => each.kind === kind)
      const known = fitting.map((each) => each.name).join(', ') || 'none'
      throw wrongField('signIn', `${shown(name)} is no ${kind} sign-in; there are: ${known}`)
    }
    return { connector, signIn: signIn as Extract<SignIn, { kind: Kind }> }
  }
}

/** What was entered, with fallbacks; a field that is missing or unknown is named. */
export function completeValues({ fields }: SignIn, values: SignInValues): SignInValues {
  const known = new Set(fields.map(({ name }) => name))
  const unknown = Object.keys(values).find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new InputError(`values.${unknown.slice(0, 64)}`, 'is not asked for; remove it')
  }
  return Object.fromEntries(
    fields.map(({ name, label, fallback }) => {
      const value = values[name]?.trim() || fallback
      if (value === null || value === undefined) {
        throw new InputError(`values.${name}`, `is missing: ${label}`)
      }
      return [name, value]
    }),
  )
}

/** Refuses a text that the network would refuse: better now than when it is sent. */
export function requireFits(action: ActionRow, text: string, description: Description | null) {
  if (description === null) return
  const { length, threadMaximum } = description
  const segments = action.action === 'thread' ? splitSegments(text) : [text]
  if (segments.length === 0 || segments.some((segment) => segment.trim() === '')) {
    throw wrongField('text', 'says nothing')
  }
  if (segments.length > threadMaximum) {
    throw wrongField('text', `has ${segments.length} posts, and a thread at most ${threadMaximum}`)
  }
  for (const segment of segments) {
    const measured = length.measure(segment)
    if (measured > length.maximum) {
      throw wrongField('text', `has ${measured} of at most ${length.maximum} characters`)
    }
  }
}
