/** Owns the webhooks that were set up. Their secrets are sealed: they sign, so they must open. */

import { hash } from 'node:crypto'
import { z } from 'zod'
import type { LedgerEvent } from '../../core/events.ts'
import { toAccountId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Random } from '../../core/random.ts'
import { Secret } from '../../core/secret.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Sealer } from '../../vault/vault.ts'
import { readShelf } from '../shelf.ts'

const collection = 'server-webhooks'

const hookValue = z.object({
  url: z.string(),
  /** Empty for all. */
  types: z.array(z.string()),
  /** Null for all. */
  accountIds: z.array(z.string()).nullable(),
  active: z.boolean(),
  createdAt: z.number(),
  failures: z.number(),
  lastDeliveredAt: z.number().nullable(),
  sealed: z.string(),
})
type HookValue = z.infer<typeof hookValue>

export interface Hook extends HookValue {
  readonly id: string
}

export type HookWish = Pick<HookValue, 'url' | 'types' | 'accountIds'>
export type HookChange = Partial<HookWish & Pick<HookValue, 'active'>>

export interface HookParts {
  readonly ledger: Ledger
  readonly random: Random
  readonly vault: Sealer
}

export class Hooks {
  readonly #parts: HookParts

  constructor(parts: HookParts) {
    this.#parts = parts
  }

  async list(): Promise<readonly Hook[]> {
    const items = await readShelf(this.#parts.ledger, collection)
    return items
      .map(({ id, value }) => Object.assign(hookValue.parse(value), { id }))
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
  }

  async get(id: string): Promise<Hook | null> {
    const item = await this.#parts.ledger.getItem(collection, id)
    return item === null ? null : { id, ...hookValue.parse(item.value) }
  }

  /** The secret is given once; from then on only deliveries are signed with it. */
  async add(wish: HookWish): Promise<{ readonly hook: Hook; readonly secret: Secret }> {
    const { ledger, random, vault } = this.#parts
    const id = random.id().replaceAll('-', '')
    const secret = new Secret(`whsec_${hash('sha256', `${random.id()}:${random.id()}`, 'base64')}`)
    const value: HookValue = {
      ...wish,
      active: true,
      createdAt: await ledger.now(),
      failures: 0,
      lastDeliveredAt: null,
      sealed: vault.seal(secret, sealedFor(id)),
    }
    await ledger.putItem(collection, id, value, null)
    return { hook: { id, ...value }, secret }
  }

  secretOf({ id, sealed }: Hook): Secret {
    return this.#parts.vault.open(sealed, sealedFor(id))
  }

  /** Switching it on again forgives what failed before. Null where there is none. */
  change(id: string, change: HookChange): Promise<Hook | null> {
    return this.#update(id, (hook) => ({
      ...hook,
      ...change,
      failures: change.active === true ? 0 : hook.failures,
    }))
  }

  delivered(id: string, at: Instant): Promise<Hook | null> {
    return this.#update(id, (hook) => ({ ...hook, failures: 0, lastDeliveredAt: at }))
  }

  /** After too many in a row nobody listens there any more. */
  failed(id: string, most: number): Promise<Hook | null> {
    return this.#update(id, (hook) => {
      const failures = hook.failures + 1
      return { ...hook, failures, active: hook.active && failures < most }
    })
  }

  remove(id: string): Promise<boolean> {
    return this.#parts.ledger.deleteItem(collection, id)
  }

  async #update(id: string, change: (hook: HookValue) => HookValue): Promise<Hook | null> {
    const { ledger } = this.#parts
    for (;;) {
      const item = await ledger.getItem(collection, id)
      if (item === null) return null
      const value = change(hookValue.parse(item.value))
      if (await ledger.putItem(collection, id, value, item.version)) return { id, ...value }
    }
  }
}

function sealedFor(id: string) {
  return { accountId: toAccountId(id), purpose: 'webhook' }
}

/** What happened before it was set up is not sent. */
export function isFor(hook: Hook, event: LedgerEvent): boolean {
  const { active, types, accountIds, createdAt } = hook
  return (
    active &&
    event.at >= createdAt &&
    (types.length === 0 || types.includes(event.type)) &&
    (accountIds === null || (event.accountId !== null && accountIds.includes(event.accountId)))
  )
}
