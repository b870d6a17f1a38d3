/** The rows of the memory store, and the one place where changes are written to them. */

import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Sample } from '../../core/sample.ts'
import { canFollow, isOpen } from '../../core/states.ts'
import { LedgerError } from '../ledger-error.ts'
import type {
  AccountRow,
  ActionRow,
  ApprovalRow,
  AttemptRow,
  CurveRow,
  IncidentRow,
  MeasurementRow,
  OwnReplyRow,
  PauseRow,
  PostRow,
  VerdictRow,
} from '../rows.ts'
import { dueStates } from '../store.ts'
import type { Changes, DueKind, PostContent } from '../store.ts'
import { EventLog } from './event-log.ts'
import { MultiMap } from './multi-map.ts'

export class MemoryTables {
  readonly policies = new Map<string, string>()
  readonly accounts = new Map<AccountId, AccountRow>()
  readonly posts = new Map<PostId, PostRow>()
  readonly actions = new Map<ActionId, ActionRow>()
  readonly actionsByPost = new MultiMap<PostId, ActionId>()
  readonly actionsByAccount = new MultiMap<AccountId, ActionId>()
  readonly attempts = new MultiMap<ActionId, AttemptRow>()
  readonly attemptIds = new Set<string>()
  readonly samples = new Map<PostId, Sample[]>()
  readonly verdicts = new MultiMap<PostId, VerdictRow>()
  readonly approvals = new MultiMap<ActionId, ApprovalRow>()
  readonly incidents = new Map<ActionId, IncidentRow>()
  readonly ownReplies = new MultiMap<PostId, OwnReplyRow>()
  readonly measurements = new MultiMap<PostId, MeasurementRow>()
  readonly withoutLift = new Map<string, number>()
  readonly platformAttempts = new MultiMap<string, Instant>()
  readonly curves = new Map<PostId, CurveRow>()
  readonly keys = new Set<string>()
  readonly remoteIds = new Map<string, PostId>()
  readonly settings = new Map<string, string>()
  readonly log = new EventLog()
  pauses: readonly PauseRow[] = []

  /** Checks all before it writes anything, so that a refused change leaves nothing behind. */
  write(changes: Changes): void {
    const { insertAction, updateAction, insertAttempt, updateAttempt } = changes
    if (insertAction !== undefined) this.requireInsertable(insertAction)
    if (updateAction !== undefined) this.#requireUpdatable(updateAction)
    if (insertAttempt !== undefined && this.attemptIds.has(insertAttempt.id)) {
      throw new LedgerError('conflict', `Attempt ${insertAttempt.id} is taken`)
    }
    if (changes.postContent !== undefined) this.#requireFreeRemote(changes.postContent)
    if (changes.post !== undefined) this.posts.set(changes.post.id, changes.post)
    if (changes.postContent !== undefined) this.#changeContent(changes.postContent)
    if (insertAction !== undefined) this.insertAction(insertAction)
    if (updateAction !== undefined) this.actions.set(updateAction.id, updateAction)
    const { approval, incident, verdict } = changes
    if (insertAttempt !== undefined) {
      this.attemptIds.add(insertAttempt.id)
      this.attempts.add(insertAttempt.actionId, insertAttempt)
      this.platformAttempts.add(insertAttempt.platform, insertAttempt.startedAt)
    }
    if (updateAttempt !== undefined) {
      this.attempts.replace(
        updateAttempt.actionId,
        updateAttempt,
        ({ id }) => id === updateAttempt.id,
      )
    }
    if (approval !== undefined) this.approvals.add(approval.actionId, approval)
    if (incident !== undefined) this.incidents.set(incident.actionId, incident)
    if (verdict !== undefined) {
      const isSame = (row: VerdictRow) => row.policy === verdict.policy && row.at === verdict.at
      this.verdicts.replace(verdict.postId, verdict, isSame)
    }
    for (const row of changes.measurements ?? []) {
      this.measurements.replace(row.postId, row, ({ horizonMs }) => horizonMs === row.horizonMs)
    }
    this.log.append(changes.events ?? [])
  }

  #requireFreeRemote({ postId, remoteId }: PostContent): void {
    const post = this.posts.get(postId)
    const other = post === undefined ? post : this.findByRemote({ ...post, remoteId })
    if (other === undefined || other.id === postId) return
    throw new LedgerError('conflict', `Post ${other.id} has the remote id ${remoteId} already`)
  }

  #changeContent({ postId, ...content }: PostContent): void {
    const post = this.posts.get(postId)
    if (post === undefined) throw new LedgerError('damaged', `Post ${postId} is missing`)
    this.remoteIds.delete(remoteKey(post))
    this.insertPost({ ...post, ...content })
  }

  requireInsertable(row: ActionRow): void {
    if (this.actions.has(row.id)) throw new LedgerError('conflict', `Action ${row.id} is taken`)
    if (this.keys.has(row.key)) throw new LedgerError('conflict', `Key ${row.key} is taken`)
    const open = this.actionsByPost.get(row.postId).some((id) => isOpen(this.action(id).state))
    if (open && isOpen(row.state)) {
      throw new LedgerError('conflict', `Post ${row.postId} has an open action already`)
    }
  }

  #requireUpdatable(row: ActionRow): void {
    const stored = this.action(row.id)
    if (stored.version + 1 !== row.version) {
      throw new LedgerError('conflict', `Action ${row.id} has moved on to ${stored.version}`)
    }
    const problem = findIllegalChange(stored, row)
    if (problem !== null) throw new LedgerError('conflict', `Action ${row.id}: ${problem}`)
  }

  action(id: ActionId): ActionRow {
    const row = this.actions.get(id)
    if (row === undefined) throw new LedgerError('damaged', `Action ${id} is missing`)
    return row
  }

  /** What can be due in one way, with its time. */
  listDated(kind: DueKind): { readonly id: string; readonly at: Instant }[] {
    const dated: { readonly id: string; readonly at: Instant }[] = []
    const add = (id: string, at: Instant | null) => at !== null && dated.push({ id, at })
    if (kind === 'discover') {
      for (const row of this.accounts.values()) {
        if (row.status === 'active') add(row.id, row.discoverAt)
      }
    } else if (kind === 'check') {
      for (const row of this.posts.values()) add(row.id, row.nextCheckAt)
    } else {
      const field = kind === 'expire' ? 'expiresAt' : kind === 'notice' ? 'noticeAt' : 'dueAt'
      for (const row of this.actions.values()) {
        if (dueStates[kind].includes(row.state)) add(row.id, row[field])
      }
    }
    return dated
  }

  /** The post that is tracked under a network's id, if one is. */
  findByRemote(post: PostRow): PostRow | undefined {
    const id = this.remoteIds.get(remoteKey(post))
    return id === undefined ? undefined : this.posts.get(id)
  }

  requirePosts(rows: readonly { readonly postId: PostId }[]): void {
    const missing = rows.find(({ postId }) => !this.posts.has(postId))
    if (missing === undefined) return
    throw new LedgerError('conflict', `Post ${missing.postId} is not in the ledger`)
  }

  requireInsertablePost(post: PostRow): void {
    const { id, accountId, remoteId } = post
    if (!this.accounts.has(accountId)) {
      throw new LedgerError('conflict', `Account ${accountId} is not in the ledger`)
    }
    if (this.posts.has(id)) throw new LedgerError('conflict', `Post ${id} is taken`)
    if (this.findByRemote(post) !== undefined) {
      throw new LedgerError('conflict', `Post ${remoteId} of ${accountId} is tracked already`)
    }
  }

  insertPost(post: PostRow): void {
    this.posts.set(post.id, post)
    this.remoteIds.set(remoteKey(post), post.id)
  }

  insertAction(row: ActionRow): void {
    this.actions.set(row.id, row)
    this.actionsByPost.add(row.postId, row.id)
    this.actionsByAccount.add(row.accountId, row.id)
    this.keys.add(row.key)
  }
}

const fixedFields = ['key', 'postId', 'accountId', 'action', 'tier', 'generation'] as const

/** What a database refuses by constraint and trigger, whoever asks for it (I1, I7, I8). */
function findIllegalChange(stored: ActionRow, row: ActionRow): string | null {
  if (!isOpen(stored.state)) return `it has ended as ${stored.state}`
  if (stored.state !== row.state && !canFollow(stored.state, row.state)) {
    return `${row.state} cannot follow ${stored.state}`
  }
  const field = fixedFields.find((name) => stored[name] !== row[name])
  if (field !== undefined) return `its ${field} never changes`
  const isFrozen = stored.firstClaimedAt !== null
  const isRevised = stored.text !== row.text || stored.textHash !== row.textHash
  return isFrozen && isRevised ? 'its text is frozen since it was first claimed' : null
}

/** An account has each of its remote ids once. */
function remoteKey({ accountId, remoteId }: PostRow): string {
  return JSON.stringify([accountId, remoteId])
}
