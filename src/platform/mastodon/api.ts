/** Owns the requests to a server of the Mastodon family. Each is made once and never repeated. */

import { hash } from 'node:crypto'
import { secondMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import { AnswerError, requireOk } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import type { Session } from '../oauth/session.ts'
import type { Credentials } from './credentials.ts'
import { htmlToText } from './html-text.ts'
import type { Kept, ReplyToken } from './token.ts'
import { contextSchema, sourceSchema, statusesSchema, statusSchema } from './wire.ts'
import type { Source, Status } from './wire.ts'

const statuses = '/api/v1/statuses'

/** As many as servers give at once. */
const pageSize = 40

/** A busy post has thousands of replies. */
const contextBytes = 16 * 1024 * 1024

/** A post, and the server's own time at which it was read, where it says so. */
export interface ReadStatus {
  readonly status: Status
  readonly serverTime: Instant | null
}

export class Api {
  readonly #session: Session<Credentials>

  constructor(session: Session<Credentials>) {
    this.#session = session
  }

  get(path: string): Promise<GuardedResponse> {
    return this.#session.send({ path })
  }

  /** Null where it is not there. */
  async readStatus(id: string): Promise<ReadStatus | null> {
    const response = await this.get(pathOf(id))
    if (isGone(response)) return null
    const status = requireOk(response).parse(statusSchema)
    return { status, serverTime: dateOf(response) }
  }

  async readMany(ids: readonly string[]): Promise<readonly Status[]> {
    const query = new URLSearchParams(ids.map((id): [string, string] => ['id[]', id]))
    return requireOk(await this.get(`${statuses}?${query.toString()}`)).parse(statusesSchema)
  }

  async readSource(id: string): Promise<Source> {
    return requireOk(await this.get(`${pathOf(id)}/source`)).parse(sourceSchema)
  }

  /** All that hangs below a post; nothing where the post itself is gone. */
  async readDescendants(id: string): Promise<readonly Status[]> {
    const path = `${pathOf(id)}/context`
    const response = await this.#session.send({ path, maximumBytes: contextBytes })
    if (isGone(response)) return []
    return requireOk(response).parse(contextSchema).descendants
  }

  /** The account's own posts, the newest first, back to a time and so many pages at most. */
  async listOwn(
    accountId: string,
    options: { readonly since: Instant; readonly withReplies: boolean; readonly pages: number },
  ): Promise<{ readonly found: readonly Status[]; readonly isWhole: boolean }> {
    const seen = new Map<string, Status>()
    for (let page = 0; page < options.pages; page += 1) {
      const last = [...seen.keys()].at(-1)
      const query = new URLSearchParams({
        limit: String(pageSize),
        exclude_reblogs: 'true',
        exclude_replies: String(!options.withReplies),
        ...(last === undefined ? {} : { max_id: last }),
      })
      const path = `/api/v1/accounts/${encodeURIComponent(accountId)}/statuses`
      const response = requireOk(await this.get(`${path}?${query.toString()}`))
      const answer = response.parse(statusesSchema)
      const fresh = answer.filter(({ id }) => !seen.has(id))
      for (const status of fresh) seen.set(status.id, status)
      const oldest = answer.at(-1)
      // Some servers do not turn pages and give the same one again.
      const isLast = fresh.length === 0 || isLastPage(response)
      const isOld = oldest !== undefined && oldest.created_at < options.since
      if (isLast || isOld) return { found: since(seen, options.since), isWhole: true }
    }
    return { found: since(seen, options.since), isWhole: false }
  }

  async create(token: ReplyToken, idempotencyKey: string): Promise<Status> {
    return this.#write('POST', statuses, {
      headers: { 'idempotency-key': idempotencyKey },
      body: {
        status: token.text,
        in_reply_to_id: token.parentId,
        visibility: token.visibility,
        spoiler_text: token.spoilerText,
        sensitive: token.sensitive,
        ...(token.language === null ? {} : { language: token.language }),
      },
    })
  }

  async update(id: string, text: string, kept: Kept, now: Instant): Promise<Status> {
    const { poll } = kept
    return this.#write('PUT', pathOf(id), {
      headers: {},
      body: {
        status: text,
        spoiler_text: kept.spoilerText,
        sensitive: kept.sensitive,
        media_ids: kept.mediaIds,
        ...(kept.language === null ? {} : { language: kept.language }),
        ...(kept.contentType === null ? {} : { content_type: kept.contentType }),
        ...(poll === null ? {} : { poll: pollBody(poll, now) }),
      },
    })
  }

  /** Removing what is gone already is no error. */
  async remove(id: string): Promise<void> {
    const response = await this.#session.send({ path: pathOf(id), method: 'DELETE' })
    if (!isGone(response)) requireOk(response)
  }

  /** Posts something of any kind; for trials. */
  post(body: { readonly [field: string]: Json }, idempotencyKey: string): Promise<Status> {
    return this.#write('POST', statuses, { headers: { 'idempotency-key': idempotencyKey }, body })
  }

  async #write(
    method: 'POST' | 'PUT',
    path: string,
    request: { readonly headers: Readonly<Record<string, string>>; readonly body: Json },
  ): Promise<Status> {
    const response = await this.#session.send({
      path,
      method,
      headers: { 'content-type': 'application/json', ...request.headers },
      body: JSON.stringify(request.body),
    })
    return requireOk(response).parse(statusSchema)
  }
}

const pathOf = (id: string): string => `${statuses}/${encodeURIComponent(id)}`

function since(seen: ReadonlyMap<string, Status>, time: Instant): readonly Status[] {
  return [...seen.values()].filter((status) => status.created_at >= time)
}

/** A server that names its neighbours, and no next one. */
function isLastPage(response: GuardedResponse): boolean {
  const links = response.header('link')
  return links !== null && !/rel="?next/i.test(links)
}

function pollBody(poll: NonNullable<Kept['poll']>, now: Instant): Json {
  return {
    options: poll.options,
    multiple: poll.multiple,
    hide_totals: poll.hidesTotals,
    expires_in: Math.round((poll.endsAt - now) / secondMs),
  }
}

function isGone({ status }: GuardedResponse): boolean {
  return status === 404 || status === 410
}

function dateOf(response: GuardedResponse): Instant | null {
  const at = Date.parse(response.header('date') ?? '')
  return Number.isNaN(at) ? null : at
}

/** Whether an error is an answer with one of these statuses. */
export function isAnswer(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof AnswerError && codes.includes(error.response.status)
}

/** What the author typed, as far as the post itself tells. */
export function textOf({ text, content, mentions }: Status): string {
  return text ?? htmlToText(content, mentions)
}

/** Another one after every edit, whatever was changed by it. */
export function versionOf({ edited_at: editedAt, content, spoiler_text: warning }: Status): string {
  const shown = hash('sha256', JSON.stringify([content, warning ?? '']), 'hex').slice(0, 16)
  return `${editedAt ?? 'first'}/${shown}`
}
