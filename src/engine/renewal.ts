/**
 * Replaces credentials that have run out, once at a time for an account over all processes: many
 * networks take each refresh token a single time, and whoever comes second would lose the account.
 * What was exchanged is stored before anyone uses it.
 */

import type { Clock } from '../core/clock.ts'
import { minuteMs, secondMs } from '../core/duration.ts'
import type { AccountId } from '../core/ids.ts'
import type { Random } from '../core/random.ts'
import type { Secret } from '../core/secret.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { AccountRow } from '../ledger/rows.ts'
import type { Renew } from '../platform/platform.ts'

export interface RenewalParts {
  readonly ledger: Pick<Ledger, 'getAccount' | 'replaceCredentials' | 'takeLease' | 'releaseLease'>
  readonly clock: Clock
  readonly random: Random
  readonly open: (account: AccountRow) => Secret | null
  readonly seal: (accountId: AccountId, secret: Secret) => string
}

/** Longer than an exchange takes: its calls have deadlines of their own. */
const leaseMs = 2 * minuteMs
const askAgainMs = secondMs / 4
const storeTries = 5

export class Renewal {
  readonly #parts: RenewalParts
  readonly #underWay = new Map<AccountId, Promise<Secret>>()

  constructor(parts: RenewalParts) {
    this.#parts = parts
  }

  /** For a connection that was opened with the credentials of this row. */
  renewFor(opened: AccountRow): Renew {
    return (exchange) => {
      const running = this.#underWay.get(opened.id)
      if (running !== undefined) return running
      const renewal = this.#renew(opened, exchange).finally(() => {
        this.#underWay.delete(opened.id)
      })
      this.#underWay.set(opened.id, renewal)
      return renewal
    }
  }

  async #renew(opened: AccountRow, exchange: Parameters<Renew>[0]): Promise<Secret> {
    const { ledger, clock, random } = this.#parts
    const name = `renew-credentials:${opened.id}`
    const owner = random.id()
    while (!(await ledger.takeLease(name, owner, leaseMs))) {
      await clock.sleep(askAgainMs)
      const replaced = await this.#replacedSince(opened)
      if (replaced !== null) return replaced
    }
    try {
      const replaced = await this.#replacedSince(opened)
      if (replaced !== null) return replaced
      const current = this.#parts.open(opened)
      if (current === null) throw new Error(`Account ${opened.id} has no credentials to renew`)
      return await this.#store(opened, await exchange(current))
    } finally {
      await ledger.releaseLease(name, owner)
    }
  }

  /** What another process, or the owner, has stored in the meantime. */
  async #replacedSince(opened: AccountRow): Promise<Secret | null> {
    const row = await this.#parts.ledger.getAccount(opened.id)
    if (row === null) throw new Error(`Account ${opened.id} is gone`)
    return row.credentials === opened.credentials ? null : this.#parts.open(row)
  }

  /** The old ones are spent by now, so that a ledger that is busy is asked again. */
  async #store(opened: AccountRow, next: Secret): Promise<Secret> {
    const { ledger, clock, seal } = this.#parts
    const sealed = seal(opened.id, next)
    for (let tries = 1; ; tries += 1) {
      try {
        const isStored = await ledger.replaceCredentials(opened.id, opened.credentials, sealed)
        return isStored ? next : ((await this.#replacedSince(opened)) ?? next)
      } catch (error) {
        if (tries === storeTries) throw error
        await clock.sleep(askAgainMs)
      }
    }
  }
}
