/**
 * Owns the records of one account, with the rules of the reference server: a put of the same bytes
 * does nothing, a put over others is an error, a batch is applied as a whole or not at all.
 */

import type { Json } from '../../../src/core/json.ts'
import { contentId } from '../../../src/platform/bluesky/content-id.ts'

export interface FakeRecord {
  readonly uri: string
  readonly cid: string
  readonly value: Readonly<Record<string, Json>>
}

export function textOf({ value }: Pick<FakeRecord, 'value'>): string {
  const { text } = value
  return typeof text === 'string' ? text : ''
}

/** What the server answers with: its status and the name of the error. */
export class FakeError extends Error {
  override readonly name = 'FakeError'
  readonly status: number
  readonly error: string

  constructor(status: number, error: string, message: string) {
    super(message)
    this.status = status
    this.error = error
  }
}

export const internal = () => new FakeError(500, 'InternalServerError', 'Internal Server Error')

export interface FakeWrite {
  readonly kind: 'create' | 'update' | 'delete'
  readonly collection: string
  readonly rkey: string
  readonly value: FakeRecord['value'] | null
}

export class FakeRepo {
  readonly did: string
  #records = new Map<string, FakeRecord>()

  constructor(did: string) {
    this.did = did
  }

  get(collection: string, rkey: string): FakeRecord | null {
    return this.#records.get(`${collection}/${rkey}`) ?? null
  }

  find(uri: string): FakeRecord | null {
    const prefix = `at://${this.did}/`
    return this.#records.get(uri.slice(prefix.length)) ?? null
  }

  /** As the server lists them: by key, the greatest first. */
  list(collection: string, before: string | null, limit: number): readonly FakeRecord[] {
    return this.all(collection)
      .filter(({ uri }) => before === null || keyOf(uri) < before)
      .toSorted((one, other) => (keyOf(one.uri) < keyOf(other.uri) ? 1 : -1))
      .slice(0, limit)
  }

  all(collection: string): readonly FakeRecord[] {
    return [...this.#records.values()].filter(({ uri }) => uri.includes(`/${collection}/`))
  }

  /** The version to be replaced: null for none, undefined for any. */
  put(collection: string, rkey: string, value: FakeRecord['value'], swap?: string | null): string {
    const current = this.get(collection, rkey)
    const cid = contentId(value)
    if (current?.cid === cid) return cid
    if (swap !== undefined && swap !== (current?.cid ?? null)) {
      throw new FakeError(400, 'InvalidSwap', `Record was at ${current?.cid ?? 'null'}`)
    }
    this.apply([{ kind: current === null ? 'create' : 'update', collection, rkey, value }])
    return cid
  }

  apply(writes: readonly FakeWrite[]): void {
    const next = new Map(this.#records)
    for (const { kind, collection, rkey, value } of writes) {
      const path = `${collection}/${rkey}`
      if (next.has(path) === (kind === 'create')) throw internal()
      if (value === null) {
        next.delete(path)
        continue
      }
      requireRecord(collection, value)
      next.set(path, { uri: `at://${this.did}/${path}`, cid: contentId(value), value })
    }
    this.#records = next
  }
}

function keyOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1)
}

/** Enough of the network's schema to refuse what it would refuse. */
function requireRecord(collection: string, value: FakeRecord['value']): void {
  const invalid = (what: string) =>
    new FakeError(400, 'InvalidRequest', `Invalid ${collection} record: ${what}`)
  if (value['$type'] !== collection) throw invalid('Record/$type')
  if (collection !== 'app.bsky.feed.post') return
  const { text, createdAt } = value
  if (typeof text !== 'string') throw invalid('Record/text')
  const graphemes = [...new Intl.Segmenter().segment(text)].length
  if (graphemes > 300 || Buffer.byteLength(text) > 3000) throw invalid('Record/text is too long')
  const isTime = typeof createdAt === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(createdAt)
  if (!isTime) throw invalid('Record/createdAt')
}
