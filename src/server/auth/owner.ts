/**
 * Owns the owner's password and the links that stand in for it: one to set it up, printed at the
 * first start, and one to sign in, printed by a demo or the command line.
 */

import { z } from 'zod'
import type { Random } from '../../core/random.ts'
import type { Secret } from '../../core/secret.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ServerSettings } from '../parts.ts'
import { drawSecret, hashPassword, hashSecret, isPassword, isSameHash } from './secrets.ts'
import { storedPassword } from './secrets.ts'

const collection = 'server-owner'
const passwordItem = 'password'
const setUpItem = 'set-up-link'
const links = 'server-sign-in-links'

/** Counts changes of the password: a session of an earlier one has ended. */
const ownerValue = storedPassword.extend({ generation: z.number() })
const linkValue = z.object({ hash: z.string() })

export interface OwnerParts {
  readonly ledger: Ledger
  readonly random: Random
  readonly settings: ServerSettings
}

export class Owner {
  readonly #parts: OwnerParts

  constructor(parts: OwnerParts) {
    this.#parts = parts
  }

  /** Null until someone has set a password up. */
  async generation(): Promise<number | null> {
    return (await this.#read())?.value.generation ?? null
  }

  async isPassword(password: Secret): Promise<boolean> {
    const stored = await this.#read()
    return stored !== null && (await isPassword(password, stored.value))
  }

  async changePassword(current: Secret, next: Secret): Promise<boolean> {
    const stored = await this.#read()
    if (stored === null || !(await isPassword(current, stored.value))) return false
    const { ledger, random, settings } = this.#parts
    const generation = stored.value.generation + 1
    const value = { ...(await hashPassword(next, random, settings.passwordCost)), generation }
    return ledger.putItem(collection, passwordItem, value, stored.version)
  }

  /** A fresh link; earlier ones are void. Null where a password is set. */
  async makeSetUpToken(): Promise<Secret | null> {
    if ((await this.#read()) !== null) return null
    const { ledger, random, settings } = this.#parts
    const token = drawSecret(random)
    const expiresAt = (await ledger.now()) + settings.setUpLinkMs
    const value = { hash: hashSecret(token) }
    for (;;) {
      const known = await ledger.getItem(collection, setUpItem)
      const version = known?.version ?? null
      if (await ledger.putItem(collection, setUpItem, value, version, expiresAt)) return token
    }
  }

  /** Whoever comes first with the token sets the password; it works once. */
  async setUp(token: Secret, password: Secret): Promise<'done' | 'wrong_token' | 'set_already'> {
    const { ledger, random, settings } = this.#parts
    if ((await this.#read()) !== null) return 'set_already'
    const item = await ledger.getItem(collection, setUpItem)
    const link = linkValue.safeParse(item?.value)
    if (!link.success || !isSameHash(hashSecret(token), link.data.hash)) return 'wrong_token'
    const value = {
      ...(await hashPassword(password, random, settings.passwordCost)),
      generation: 1,
    }
    if (!(await ledger.putItem(collection, passwordItem, value, null))) return 'set_already'
    await ledger.deleteItem(collection, setUpItem)
    return 'done'
  }

  async makeSignInToken(): Promise<Secret> {
    const { ledger, random, settings } = this.#parts
    const token = drawSecret(random)
    const expiresAt = (await ledger.now()) + settings.signInLinkMs
    await ledger.putItem(links, hashSecret(token), {}, null, expiresAt)
    return token
  }

  /** A link signs in once; the one of a demo as often as it is opened. */
  async useSignInToken(token: Secret, keep: boolean): Promise<boolean> {
    const { ledger } = this.#parts
    const id = hashSecret(token)
    const item = await ledger.getItem(links, id)
    if (item === null) return false
    return keep || ledger.deleteItem(links, id, item.version)
  }

  async #read() {
    const item = await this.#parts.ledger.getItem(collection, passwordItem)
    return item === null ? null : { value: ownerValue.parse(item.value), version: item.version }
  }
}
