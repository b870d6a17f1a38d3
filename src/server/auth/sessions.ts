/** Owns the owner's sessions. The browser holds the secret, the ledger its hash. */

import { z } from 'zod'
import type { Random } from '../../core/random.ts'
import type { Secret } from '../../core/secret.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ServerSettings } from '../parts.ts'
import type { Actor } from './actor.ts'
import type { Owner } from './owner.ts'
import { drawSecret, hashSecret } from './secrets.ts'

const collection = 'server-sessions'
/** The password it was opened under; null where there was none, as in a demo. */
const sessionValue = z.object({ generation: z.number().nullable() })

export interface SessionParts {
  readonly ledger: Ledger
  readonly random: Random
  readonly settings: ServerSettings
  readonly owner: Owner
}

export class Sessions {
  readonly #parts: SessionParts

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  async open(): Promise<Secret> {
    const { ledger, random, settings, owner } = this.#parts
    const secret = drawSecret(random)
    const value = { generation: await owner.generation() }
    const expiresAt = (await ledger.now()) + settings.sessionMs
    await ledger.putItem(collection, hashSecret(secret), value, null, expiresAt)
    return secret
  }

  /** Null where it ended, or the password was changed since. */
  async find(secret: Secret): Promise<Actor | null> {
    const { ledger, owner } = this.#parts
    const id = hashSecret(secret)
    const item = await ledger.getItem(collection, id)
    if (item === null) return null
    const { generation } = sessionValue.parse(item.value)
    if (generation !== (await owner.generation())) return null
    return { kind: 'owner', id, name: 'owner', scope: 'admin', accountIds: null }
  }

  async close(id: string): Promise<void> {
    await this.#parts.ledger.deleteItem(collection, id)
  }
}
