/** The rows of the memory store, and the one place where changes are written to them. */

import type { NewEvent } from '../../core/events.ts'
import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Policy } from '../../core/policy.ts'
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
import { superseded } from '../steps/post.ts'
import type { Changes, PostContent } from '../store.ts'
import { DueRows } from './due-rows.ts'
import { EventLog } from './event-log.ts'
import { MultiMap } from './multi-map.ts'

/** A first claim, as the account's budget counts it. */
export interface Claim {
  readonly at: Instant
  readonly actionId: ActionId
}

export class MemoryTables {
  readonly #accounts = new Map<AccountId, AccountRow>()
  readonly #posts = new Map<PostId, PostRow>()
  readonly #actions = new Map<ActionId, ActionRow>()
  /** What can fall due is changed through the methods below, which keep `due` in step. */
  readonly accounts: ReadonlyMap<AccountId, AccountRow> = this.#accounts
  readonly posts: ReadonlyMap<PostId, PostRow> = this.#posts
  readonly actions: ReadonlyMap<ActionId, ActionRow> = this.#actions
  readonly due = new DueRows()
  readonly policies = new Map<string, Policy>()
  readonly openActions = new Set<ActionId>()
  /** When those are due that may be claimed and never were, by account. */
  readonly reserved = new Map<AccountId, Map<ActionId, Instant>>()
  readonly actionsByPost = new MultiMap<PostId, ActionId>()
  readonly actionsByAccount = new MultiMap<AccountId, ActionId>()
  readonly attempts = new MultiMap<ActionId, AttemptRow>()
  readonly attemptIds = new Set<string>()
  readonly samples = new Map<PostId, Sample[]>()
  /** Newest first. */
  readonly verdicts = new MultiMap<PostId, VerdictRow>()
  readonly approvals = new MultiMap<ActionId, ApprovalRow>()
  readonly incidents = new Map<ActionId, IncidentRow>()
  readonly ownReplies = new MultiMap<PostId, OwnReplyRow>()
  /** All of them in the order they were added, and where each post's are. */
  readonly #measurements: MeasurementRow[] = []
  readonly #measurementPlaces = new MultiMap<PostId, number>()
  readonly withoutLift = new Map<string, number>()
  /** The oldest first. */
  readonly claims = new MultiMap<AccountId, Claim>()
  readonly platformAttempts = new MultiMap<string, Instant>()
  readonly curves = new Map<PostId, CurveRow>()
  readonly keys = new Set<string>()
  readonly remoteIds = new Map<string, PostId>()
  readonly settings = new Map<string, string>()
  readonly log = new EventLog()
  pauses: readonly PauseRow[] = []

  /** Checks all before it writes anything, so that a refused change leaves nothing behind. */
  write(changes: Changes, now: Instant): void {
    const { insertAction, updateAction, insertAttempt, updateAttempt } = changes
    if (insertAction !== undefined) this.requireInsertable(insertAction)
    if (updateAction !== undefined) this.#requireUpdatable(updateAction)
    if (insertAttempt !== undefined && this.attemptIds.has(insertAttempt.id)) {
      throw new LedgerError('conflict', `Attempt ${insertAttempt.id} is taken`)
    }
    if (changes.account !== undefined) this.putAccount(changes.account)
    if (changes.post !== undefined) this.putPost(changes.post)
    if (changes.postContent !== undefined) this.#changeContent(changes.postContent, now)
    if (insertAction !== undefined) this.insertAction(insertAction)
    if (updateAction !== undefined) this.putAction(updateAction)
    if (insertAttempt !== undefined) this.#insertAttempt(insertAttempt)
    if (updateAttempt !== undefined) {
      const { actionId, id } = updateAttempt
      this.attempts.replace(actionId, updateAttempt, (row) => row.id === id)
    }
    const { approval, incident, verdict, measurements = [], events = [] } = changes
    if (approval !== undefined) this.approvals.add(approval.actionId, approval)
    if (incident !== undefined) this.incidents.set(incident.actionId, incident)
    if (verdict !== undefined) this.#putVerdict(verdict)
    if (changes.thinVerdicts !== undefined) this.verdicts.filter(changes.thinVerdicts, saysNew)
    for (const row of measurements) this.#putMeasurement(row)
    this.log.append(events)
  }

  putAccount(row: AccountRow): void {
    this.#accounts.set(row.id, row)
    this.due.noteAccount(row)
  }

  putPost(row: PostRow): void {
    this.#posts.set(row.id, row)
    this.due.notePost(row)
  }

  putAction(row: ActionRow): void {
    const before = this.#actions.get(row.id)
    this.#actions.set(row.id, row)
    this.due.noteAction(row)
    if (isOpen(row.state)) this.openActions.add(row.id)
    else this.openActions.delete(row.id)
    this.#noteReserved(row)
    const at = row.firstClaimedAt
    if (at === null || (before?.firstClaimedAt ?? null) !== null || row.undoes !== null) return
    const claim = { at, actionId: row.id }
    this.claims.addInOrder(row.accountId, claim, (other) => other.at > at)
  }

  #noteReserved(row: ActionRow): void {
    const { id, accountId, state, dueAt, firstClaimedAt, undoes } = row
    const times = this.reserved.get(accountId) ?? new Map<ActionId, Instant>()
    this.reserved.set(accountId, times)
    const mayBeClaimed = state === 'planned' || state === 'approved'
    const isReserved = mayBeClaimed && firstClaimedAt === null && undoes === null
    if (isReserved && dueAt !== null) times.set(id, dueAt)
    else times.delete(id)
  }

  #insertAttempt(row: AttemptRow): void {
    this.attemptIds.add(row.id)
    this.attempts.add(row.actionId, row)
    this.platformAttempts.add(row.platform, row.startedAt)
  }

  #putVerdict(row: VerdictRow): void {
    const isSame = ({ policy, at }: VerdictRow) => policy === row.policy && at === row.at
    if (this.verdicts.replace(row.postId, row, isSame)) return
    this.verdicts.addInOrder(row.postId, row, ({ at }) => at < row.at)
  }

  #putMeasurement(row: MeasurementRow): void {
    const places = this.#measurementPlaces.get(row.postId)
    const known = places.find((at) => this.measurement(at).horizonMs === row.horizonMs)
    const place = known ?? this.#measurements.length
    if (known === undefined) this.#measurementPlaces.add(row.postId, place)
    this.#measurements[place] = row
    this.due.noteMeasurement(place, row)
  }

  measurement(place: number): MeasurementRow {
    return this.#measurements[place] as MeasurementRow
  }

  measurementsOf(id: PostId): readonly MeasurementRow[] {
    return this.#measurementPlaces.get(id).map((place) => this.measurement(place))
  }

  #changeContent({ postId, ...content }: PostContent, now: Instant): void {
    const post = this.posts.get(postId)
    if (post === undefined) throw new LedgerError('damaged', `Post ${postId} is missing`)
    const other = this.findByRemote({ ...post, remoteId: content.remoteId })
    if (other !== undefined && other.id !== postId) {
      const { row, events } = superseded(other, now)
      this.insertPost(row)
      this.log.append(events)
    }
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

  setPauses(pauses: readonly PauseRow[], events: readonly NewEvent[]): void {
    this.pauses = pauses
    this.log.append(events)
  }

  insertPost(post: PostRow): void {
    this.putPost(post)
    this.remoteIds.set(remoteKey(post), post.id)
  }

  insertAction(row: ActionRow): void {
    this.putAction(row)
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

/** Or is the latest, which stands first. */
function saysNew(row: VerdictRow, index: number, rows: readonly VerdictRow[]): boolean {
  const before = rows[index + 1]
  return index === 0 || before?.kind !== row.kind || before.reason !== row.reason
}
