/** Resolves an unknown by what the platform showed, or hands it to a person. Never by guessing. */

import type { ActionId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { ActionRow, AttemptRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { Changes, PostContent, Step } from '../store.ts'
import type { ActionView } from '../views.ts'
import { wordless } from './erased.ts'
import { attemptEvent } from './settle.ts'
import { move, touch } from './transition.ts'

/** What reading the platform came to. */
export type Finding =
  /** It is there, and it is all of it. */
  | {
      readonly kind: 'landed'
      readonly remoteId: string | null
      readonly outcome: Json
      /** What an edit made of the post. */
      readonly postContent?: Omit<PostContent, 'postId'>
    }
  /** The segment is there and more are to follow. */
  | {
      readonly kind: 'segment_landed'
      readonly remoteId: string | null
      readonly resumeAt: Instant
    }
  /** Provably not there: it may be sent again. */
  | { readonly kind: 'not_landed_retry'; readonly retryAt: Instant }
  /** Provably not there, and it is not tried again. */
  | { readonly kind: 'not_landed_stop' }
  /** The network deduplicates: sending the same again is harmless and settles the matter. */
  | { readonly kind: 'resend'; readonly retryAt: Instant }
  | { readonly kind: 'cannot_tell_yet'; readonly lookAgainAt: Instant }
  | { readonly kind: 'needs_attention'; readonly reason: string }

export interface ReconcileCommand {
  readonly actionId: ActionId
  /** The version that was looked at; a row that moved on meanwhile is left alone. */
  readonly version: number
  readonly finding: Finding
}

export type ReconcileResult =
  | { readonly kind: 'resolved'; readonly action: ActionRow }
  | { readonly kind: 'stale'; readonly action: ActionRow }

export function reconcileStep(view: ActionView, command: ReconcileCommand): Step<ReconcileResult> {
  const { action } = view
  if (action.state !== 'unknown' || action.version !== command.version) {
    return { result: { kind: 'stale', action }, changes: noChanges }
  }
  const finding = wordless(view, command.finding)
  const { row, event } = moveBy(view, finding)
  const attempt = refineAttempt(view, finding)
  const changes: Changes = {
    updateAction: row,
    ...(attempt === null ? {} : { updateAttempt: attempt }),
    ...contentOf(view, finding),
    events: [
      ...(attempt === null ? [] : [attemptEvent(action, attempt, view.now)]),
      ...(event === null ? [] : [event]),
    ],
  }
  return { result: { kind: 'resolved', action: row }, changes }
}

function contentOf({ post }: ActionView, finding: Finding): Changes {
  if (finding.kind !== 'landed' || finding.postContent === undefined) return noChanges
  return { postContent: { postId: post.id, ...finding.postContent } }
}

function moveBy({ action, attempts, now }: ActionView, finding: Finding) {
  const reason = finding.kind
  switch (finding.kind) {
    case 'landed': {
      // Nobody knows when it landed; it was there when the platform was read (I3).
      const patch = { outcome: finding.outcome, mayLandUntil: now }
      return move(action, 'success', now, patch, { reason })
    }
    case 'segment_landed': {
      const patch = { dueAt: finding.resumeAt, mayLandUntil: now }
      return move(action, 'waiting', now, patch, { reason })
    }
    case 'not_landed_retry':
    case 'resend':
      return move(action, 'waiting', now, { dueAt: finding.retryAt }, { reason })
    case 'not_landed_stop':
      if (attempts.some(isLanded)) {
        return move(action, 'needs_attention', now, { dueAt: null }, { reason: 'partly_landed' })
      }
      return move(action, 'failed', now, { mayLandUntil: null }, { reason })
    case 'cannot_tell_yet':
      return { row: touch(action, { dueAt: finding.lookAgainAt }), event: null }
    case 'needs_attention':
      return move(action, 'needs_attention', now, { dueAt: null }, { reason: finding.reason })
  }
}

/** The attempt that was unknown is known now, if the finding says so. */
function refineAttempt({ attempts, now }: ActionView, finding: Finding): AttemptRow | null {
  // A segment that is out by another send is not what was looked for.
  const out = new Set(attempts.filter(isLanded).map(({ segment }) => segment))
  const open = attempts.findLast(({ result, segment }) => result === 'unknown' && !out.has(segment))
  if (open === undefined) return null
  switch (finding.kind) {
    case 'landed':
    case 'segment_landed':
      return { ...open, endedAt: now, result: 'landed', remoteId: finding.remoteId }
    case 'not_landed_retry':
    case 'not_landed_stop':
      return { ...open, endedAt: now, result: 'not_landed' }
    case 'resend':
    case 'cannot_tell_yet':
    case 'needs_attention':
      return null
  }
}

function isLanded({ result }: AttemptRow): boolean {
  return result === 'landed'
}
