/**
 * The owner's own hands and eyes: another program of the same person, which writes and reads the
 * account's records directly, on a fake server or on a real one. Never through the connector.
 */

import type { Json } from '../../../src/core/json.ts'
import type { PlatformHarness, SeenPost, SeenReply } from '../../../src/testing/index.ts'
import { post } from './fake-pds.ts'
import { textOf } from './fake-repo.ts'
import type { FakeRecord } from './fake-repo.ts'

/** One method of the server, called with all rights. */
export type CallServer = (
  kind: 'GET' | 'POST',
  method: string,
  content: Readonly<Record<string, Json>>,
) => Promise<unknown>

type Hands = Pick<
  PlatformHarness,
  'publish' | 'editByHand' | 'removeByHand' | 'replyByHand' | 'repliesTo' | 'look'
>

interface Reference {
  readonly uri: string
  readonly cid: string
}

export class Owner implements Hands {
  readonly #did: string
  readonly #call: CallServer
  readonly #now: () => number
  #keys = 0

  constructor(did: string, call: CallServer, now: () => number) {
    this.#did = did
    this.#call = call
    this.#now = now
  }

  async publish(text: string): Promise<string> {
    return this.#write({ text, ...extras })
  }

  async replyByHand(remoteId: string, text: string): Promise<string> {
    const parent = await this.record(remoteId)
    if (parent === null) throw new Error(`${remoteId} is gone`)
    const here: Reference = { uri: parent.uri, cid: parent.cid }
    const known = parent.value['reply'] as { readonly root: Reference } | undefined
    const root = known?.root ?? here
    return this.#write({ text, reply: { root, parent: here } as unknown as Json })
  }

  async editByHand(remoteId: string, text: string): Promise<void> {
    const standing = await this.record(remoteId)
    if (standing === null) throw new Error(`${remoteId} is gone`)
    const value = { ...standing.value, text }
    await this.put(post, keyOf(remoteId), value)
  }

  async removeByHand(remoteId: string): Promise<void> {
    await this.#call('POST', 'com.atproto.repo.deleteRecord', {
      repo: this.#did,
      collection: post,
      rkey: keyOf(remoteId),
    })
  }

  async put(collection: string, rkey: string, value: FakeRecord['value']): Promise<void> {
    const body = { repo: this.#did, collection, rkey, record: { ...value, $type: collection } }
    await this.#call('POST', 'com.atproto.repo.putRecord', body)
  }

  async repliesTo(remoteId: string): Promise<readonly SeenReply[]> {
    return (await this.all())
      .toReversed()
      .filter(({ value }) => {
        const reply = value['reply'] as { readonly parent: Reference } | undefined
        return reply?.parent.uri === remoteId
      })
      .map((record) => ({ remoteId: record.uri, text: textOf(record), reach: 'everyone' }))
  }

  async look(remoteId: string): Promise<SeenPost | null> {
    const record = await this.record(remoteId)
    if (record === null) return null
    const { text: _, facets: __, ...rest } = record.value
    return { text: textOf(record), rest }
  }

  async record(remoteId: string): Promise<FakeRecord | null> {
    return (await this.all()).find(({ uri }) => uri === remoteId) ?? null
  }

  /** The newest first. */
  async all(): Promise<readonly FakeRecord[]> {
    const found: FakeRecord[] = []
    let cursor: string | undefined
    do {
      const page = (await this.#call('GET', 'com.atproto.repo.listRecords', {
        repo: this.#did,
        collection: post,
        limit: '100',
        ...(cursor === undefined ? {} : { cursor }),
      })) as { readonly records: readonly FakeRecord[]; readonly cursor?: string }
      found.push(...page.records)
      cursor = page.records.length === 0 ? undefined : page.cursor
    } while (cursor !== undefined)
    return found
  }

  /** Under a key by the harness's time, which may run ahead of the server's. */
  async #write(content: Readonly<Record<string, Json>>): Promise<string> {
    this.#keys += 1
    const rkey = keyAt(this.#now(), this.#keys)
    const createdAt = new Date(this.#now()).toISOString()
    await this.put(post, rkey, { ...content, createdAt })
    return `at://${this.#did}/${post}/${rkey}`
  }
}

/** More than text, so that an edit has something to lose. */
const extras: Readonly<Record<string, Json>> = {
  langs: ['en'],
  tags: ['hidden'],
  labels: { $type: 'com.atproto.label.defs#selfLabels', values: [{ val: 'graphic-media' }] },
  embed: {
    $type: 'app.bsky.embed.external',
    external: { uri: 'https://example.com/a', title: 'A page', description: 'About something' },
  },
}

function keyOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1)
}

/** A key as the network makes them, from the time and a running number. */
export function keyAt(atMs: number, number: number): string {
  const value = ((BigInt(Math.floor(atMs)) * 1000n + BigInt(number % 1000)) << 10n) | 7n
  let [text, rest] = ['', value]
  for (let place = 0; place < 13; place += 1) {
    text = '234567abcdefghijklmnopqrstuvwxyz'.charAt(Number(rest & 31n)) + text
    rest >>= 5n
  }
  return text
}
