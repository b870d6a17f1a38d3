/**
 * Owns tokens for programs: `sw_<id>_<secret>`. Found by the id, proven by the secret, of which
 * only the hash is stored.
 */

import { z } from 'zod'
import { toAccountId } from '../../core/ids.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Random } from '../../core/random.ts'
import { Secret } from '../../core/secret.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { readShelf } from '../shelf.ts'
import { scope } from '../schema/session.ts'
import type { Scope } from '../schema/session.ts'
import type { Actor } from './actor.ts'
import { drawSecret, hashSecret, isSameHash } from './secrets.ts'

const collection = 'server-tokens'

const tokenValue = z.object({
  name: z.string(),
  scope,
  accountIds: z.array(z.string()).nullable(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  hash: z.string(),
})

export interface TokenFacts {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  readonly accountIds: readonly AccountId[] | null
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
}

export type TokenWish = Pick<TokenFacts, 'name' | 'scope' | 'accountIds' | 'expiresAt'>

export class Tokens {
  readonly #ledger: Ledger
  readonly #random: Random

  constructor({ ledger, random }: { readonly ledger: Ledger; readonly random: Random }) {
    this.#ledger = ledger
    this.#random = random
  }

  /** The secret is given once and never again. */
  async add(wish: TokenWish): Promise<{ readonly token: TokenFacts; readonly secret: Secret }> {
    const id = this.#random.id().replaceAll('-', '')
    const secret = drawSecret(this.#random)
    const token: TokenFacts = { id, ...wish, createdAt: await this.#ledger.now() }
    const { id: _, ...facts } = token
    const accountIds = wish.accountIds === null ? null : [...wish.accountIds]
    const value = { ...facts, accountIds, hash: hashSecret(secret) }
    await this.#ledger.putItem(collection, id, value, null, wish.expiresAt)
    return { token, secret: new Secret(`sw_${id}_${secret.reveal()}`) }
  }

  async find(presented: Secret): Promise<Actor | null> {
    const match = /^sw_([0-9a-zA-Z]{8,64})_([\w-]{20,128})$/.exec(presented.reveal())
    if (match === null) return null
    const [, id = '', secret = ''] = match
    const item = await this.#ledger.getItem(collection, id)
    const value = tokenValue.safeParse(item?.value)
    // Compared also where there is no such token, so that the time taken does not tell.
    const hash = value.success ? value.data.hash : ''
    if (!isSameHash(hashSecret(new Secret(secret)), hash) || !value.success) return null
    return { kind: 'token', ...toFacts(id, value.data) }
  }

  async list(): Promise<readonly TokenFacts[]> {
    const items = await readShelf(this.#ledger, collection)
    return items
      .map(({ id, value }) => toFacts(id, tokenValue.parse(value)))
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
  }

  revoke(id: string): Promise<boolean> {
    return this.#ledger.deleteItem(collection, id)
  }
}

function toFacts(id: string, value: z.infer<typeof tokenValue>): TokenFacts {
  const { name, scope: granted, accountIds, createdAt, expiresAt } = value
  const limits = accountIds === null ? null : accountIds.map((each) => toAccountId(each))
  return { id, name, scope: granted, accountIds: limits, createdAt, expiresAt }
}
