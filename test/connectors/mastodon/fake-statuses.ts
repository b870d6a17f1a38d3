/** Owns the posts of the fake server: what is stored, and how it is shown. */

import type { Json } from '../../../src/core/json.ts'

/** As a client sends it. */
export interface StatusInput {
  readonly status?: string
  readonly in_reply_to_id?: string | null
  readonly visibility?: string
  readonly spoiler_text?: string
  readonly sensitive?: boolean
  readonly language?: string
  readonly media_ids?: readonly string[]
  readonly poll?: {
    readonly options: readonly string[]
    readonly expires_in: number
    readonly multiple?: boolean
    readonly hide_totals?: boolean
  }
}

export interface FakeStatus {
  readonly id: string
  readonly createdAt: number
  readonly parentId: string | null
  readonly visibility: string
  editedAt: number | null
  text: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  mediaIds: readonly string[]
  poll: FakePoll | null
  likes: number
  /** How often it was written, by whoever. */
  edits: number
}

interface FakePoll {
  readonly options: readonly string[]
  readonly multiple: boolean
  readonly hidesTotals: boolean
  readonly endsAt: number
}

interface FakeOptions {
  readonly now: () => number
  readonly maximumCharacters: number
  readonly hasQuotes: boolean
  readonly listsMessages: boolean
}

export class FakeStatuses {
  readonly #options: FakeOptions
  readonly #all = new Map<string, FakeStatus>()
  #count = 0

  constructor(options: FakeOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#all.size
  }

  find(id: string): FakeStatus | null {
    return this.#all.get(id) ?? null
  }

  remove(id: string): void {
    this.#all.delete(id)
  }

  below(id: string): readonly FakeStatus[] {
    const children = [...this.#all.values()].filter(({ parentId }) => parentId === id)
    return children.concat(children.flatMap((child) => this.below(child.id)))
  }

  repliesTo(id: string): readonly FakeStatus[] {
    return [...this.#all.values()].filter(({ parentId }) => parentId === id)
  }

  problemOf({ status = '', media_ids: mediaIds = [] }: StatusInput): string | null {
    if (status.trim() === '' && mediaIds.length === 0)
      return "Validation failed: Text can't be blank"
    const isLong = status.length > this.#options.maximumCharacters
    return isLong ? 'Validation failed: Text character limit exceeded' : null
  }

  add(input: StatusInput): FakeStatus {
    this.#count += 1
    const status: FakeStatus = {
      // Newer ones sort after older ones, as text.
      id: String(110_000_000_000_000_000n + BigInt(this.#count)),
      createdAt: this.#options.now(),
      parentId: input.in_reply_to_id ?? null,
      visibility: input.visibility ?? 'public',
      editedAt: null,
      text: '',
      spoilerText: '',
      sensitive: false,
      language: input.language ?? 'en',
      mediaIds: [],
      poll: null,
      likes: 0,
      edits: 0,
    }
    this.#all.set(status.id, status)
    this.#fill(status, input)
    return status
  }

  edit(status: FakeStatus, input: StatusInput): FakeStatus {
    if (input.status !== status.text) status.editedAt = this.#options.now()
    status.edits += 1
    this.#fill(status, input)
    return status
  }

  /** What is not sent is gone; only the language stays. */
  #fill(status: FakeStatus, input: StatusInput): void {
    status.text = (input.status ?? '').trim()
    status.spoilerText = input.spoiler_text ?? ''
    status.sensitive = input.sensitive ?? status.spoilerText !== ''
    status.language = input.language ?? status.language
    status.mediaIds = input.media_ids ?? []
    const { poll } = input
    status.poll =
      poll === undefined
        ? null
        : {
            options: poll.options,
            multiple: poll.multiple ?? false,
            hidesTotals: poll.hide_totals ?? false,
            endsAt: this.#options.now() + poll.expires_in * 1000,
          }
  }

  listOwn(query: URLSearchParams): { readonly page: readonly Json[]; readonly isMore: boolean } {
    const limit = Number(query.get('limit') ?? '40')
    const before = query.get('max_id')
    const { listsMessages } = this.#options
    const newestFirst = [...this.#all.values()].toReversed()
    const older = newestFirst.filter(
      ({ id, visibility }) =>
        (before === null || id < before) && (listsMessages || visibility !== 'direct'),
    )
    const page = older.slice(0, limit).map((status) => this.toJson(status))
    return { page, isMore: older.length > limit }
  }

  toJson(status: FakeStatus): Json {
    const { poll } = status
    const mentions = mentionsIn(status.text)
    return {
      id: status.id,
      created_at: new Date(status.createdAt).toISOString(),
      edited_at: status.editedAt === null ? null : new Date(status.editedAt).toISOString(),
      url: `https://social.example/@anna/${status.id}`,
      content: toHtml(status.text),
      visibility: status.visibility,
      language: status.language,
      spoiler_text: status.spoilerText,
      sensitive: status.sensitive,
      in_reply_to_id: status.parentId,
      reblog: null,
      account: { id: '1001' },
      replies_count: this.repliesTo(status.id).length,
      reblogs_count: 0,
      favourites_count: status.likes,
      ...(this.#options.hasQuotes ? { quotes_count: 0 } : {}),
      media_attachments: status.mediaIds.map((id) => ({ id, type: 'image' })),
      mentions,
      poll: poll === null ? null : this.#pollJson(poll),
    }
  }

  #pollJson(poll: FakePoll): Json {
    const expired = this.#options.now() >= poll.endsAt
    const votes = poll.hidesTotals && !expired ? null : 0
    return {
      id: '1',
      expires_at: new Date(poll.endsAt).toISOString(),
      expired,
      multiple: poll.multiple,
      options: poll.options.map((title) => ({ title, votes_count: votes })),
    }
  }
}

const mention = /@(\w+)@([\w.]+\w)/g

function mentionsIn(text: string): Json[] {
  return [...text.matchAll(mention)].map(([, name = '', host = '']) => ({
    acct: `${name}@${host}`,
    url: `https://${host}/@${name}`,
  }))
}

/** As Mastodon writes it: links are cut short for the eye, mentions come without their server. */
function toHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const linked = escaped
    .replace(/https?:\/\/\S+/g, (url) => {
      const rest = url.slice('https://'.length)
      const spans =
        '<span class="invisible">https://</span>' +
        `<span class="ellipsis">${rest.slice(0, 30)}</span>` +
        `<span class="invisible">${rest.slice(30)}</span>`
      return `<a href="${url}" rel="nofollow noopener" target="_blank">${spans}</a>`
    })
    .replace(
      mention,
      '<span class="h-card" translate="no"><a href="https://$2/@$1" class="u-url mention">' +
        '@<span>$1</span></a></span>',
    )
  const paragraphs = linked
    .split(/\n\n+/)
    .map((part) => `<p>${part.replaceAll('\n', '<br />')}</p>`)
  return paragraphs.join('')
}
