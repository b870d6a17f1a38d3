/** Owns what is checked before a write, and the bytes it is fixed to. Reads only. */

import { secondMs } from '../../core/duration.ts'
import type { Fault, FaultCode } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import type { Description, Preparation, WriteRequest } from '../platform.ts'
import { textOf, versionOf } from './api.ts'
import type { Api, ReadStatus } from './api.ts'
import type { EditToken, Kept, ReplyToken } from './token.ts'
import { canonical } from './text.ts'
import type { Source, Status } from './wire.ts'

/** Between a server's machines, whose clocks differ a little. */
const skewMs = 5 * secondMs

/** Why the write cannot be made whatever the post looks like, or null. */
export function checkRequest(description: Description, request: WriteRequest): Preparation | null {
  const ability = description.actions[request.action]
  if (!ability.supported) return refuse('unsupported', ability.why)
  const { texts, segment, previous } = request
  const most = request.action === 'thread' ? description.threadMaximum : 1
  if (texts.length !== 1)
    return refuse('invalid', `One text is sent at a time, not ${texts.length}.`)
  if (segment >= most) {
    return refuse('invalid', `A thread has at most ${most} posts; this would be one more.`)
  }
  if (previous.length !== segment) {
    return refuse('invalid', `Segment ${segment} follows ${previous.length} that are out.`)
  }
  return lengthProblem(description, texts[0] ?? '', '')
}

/** A warning counts as part of the text. */
function lengthProblem(
  { length: { maximum, measure } }: Description,
  text: string,
  warning: string,
): Preparation | null {
  if (text.trim() === '') return refuse('invalid', 'The text is empty.')
  const length = measure(text) + measure(warning)
  if (length <= maximum) return null
  return refuse('invalid', `The text has a length of ${length}; at most ${maximum} fit.`)
}

const gone: Preparation = { kind: 'changed', why: 'The post was deleted.' }

export async function prepareReply(
  api: Api,
  description: Description,
  request: WriteRequest,
): Promise<Preparation> {
  const read = await api.readStatus(request.target.remoteId)
  if (read === null) return gone
  const { status } = read
  const text = request.texts[0] ?? ''
  const spoilerText = status.spoiler_text ?? ''
  const problem = lengthProblem(description, text, spoilerText)
  if (problem !== null) return problem
  const token: ReplyToken = {
    kind: 'reply',
    parentId: request.previous.at(-1)?.remoteIds.at(-1) ?? status.id,
    text,
    // Nobody may read the reply who cannot read the post.
    visibility: status.visibility,
    spoilerText,
    sensitive: spoilerText !== '',
    language: status.language ?? null,
    idempotencyKey: `${request.key}:${request.segment}`,
    notBefore: earliest(read),
  }
  return { kind: 'ready', token }
}

/** By the server's clock, not by ours. Where it does not tell, a reply is younger than its post. */
function earliest({ status, serverTime }: ReadStatus): Instant {
  return serverTime === null ? status.created_at : Math.max(status.created_at, serverTime - skewMs)
}

export async function prepareEdit(
  api: Api,
  description: Description,
  request: WriteRequest,
): Promise<Preparation> {
  const { target } = request
  const read = await api.readStatus(target.remoteId)
  if (read === null) return gone
  const { status } = read
  const [text, shown, version] = [request.texts[0] ?? '', textOf(status), versionOf(status)]
  if (target.text === null && target.contentVersion === null) {
    return refuse('invalid', 'Nothing is known of the text that the edit was written for.')
  }
  const isChanged =
    (target.contentVersion !== null && target.contentVersion !== version) ||
    (target.text !== null && canonical(target.text) !== canonical(shown))
  if (isChanged) return { kind: 'changed', why: 'The owner edited the post.' }
  const source = await api.readSource(status.id)
  if (canonical(source.text) !== canonical(shown)) {
    return refuse('unsupported', 'The post is formatted in a way that an edit would undo.')
  }
  if (canonical(text) === canonical(source.text)) {
    return refuse('invalid', 'The edit would change nothing.')
  }
  if (status.poll?.expired === true) {
    return refuse('unsupported', 'The poll in the post is over; an edit would open it again.')
  }
  const kept = keptOf(status, source)
  const problem = lengthProblem(description, text, kept.spoilerText)
  if (problem !== null) return problem
  const { id } = status
  const token: EditToken = {
    kind: 'edit',
    id,
    text,
    baseText: source.text,
    baseVersion: version,
    kept,
  }
  return { kind: 'ready', token }
}

function keptOf(status: Status, source: Source): Kept {
  const { poll } = status
  const endsAt = poll?.expires_at ?? null
  return {
    spoilerText: source.spoiler_text ?? status.spoiler_text ?? '',
    sensitive: status.sensitive ?? false,
    language: status.language ?? null,
    mediaIds: status.media_attachments.map(({ id }) => id),
    poll:
      poll === null || poll === undefined || endsAt === null
        ? null
        : {
            options: poll.options.map(({ title }) => title),
            multiple: poll.multiple,
            // Counts that are not shown while it runs are hidden by the author's choice.
            hidesTotals: poll.options.some((option) => (option.votes_count ?? null) === null),
            endsAt,
          },
    contentType: source.content_type ?? null,
  }
}

function refuse(
  code: FaultCode,
  detail: string,
  scope: Fault['scope'] = 'request',
): Preparation & { readonly kind: 'refused' } {
  return { kind: 'refused', fault: { landed: 'no', code, scope, retryAt: null, detail } }
}
