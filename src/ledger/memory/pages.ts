/** Lists for people in the memory store, which sorts where others walk an index. */

import { dayMs } from '../../core/duration.ts'
import type { AccountId, PostId } from '../../core/ids.ts'
import { InputError, shown } from '../../core/input-error.ts'
import type { Sample } from '../../core/sample.ts'
import { isOpen } from '../../core/states.ts'
import type { LedgerTime } from '../ledger-time.ts'
import { mostPoints, pointTimes } from '../pages.ts'
import type { EngagementPoint, Overview, PostNews } from '../pages.ts'
import type { ActionRow, PostRow, VerdictRow } from '../rows.ts'
import type {
  ActionOrder,
  EventOrder,
  ListedPost,
  PageStore,
  Place,
  PlacedEvent,
  PostOrder,
} from '../store.ts'
import type { MemoryTables } from './tables.ts'

export class MemoryPages implements PageStore {
  readonly #tables: MemoryTables
  readonly #time: LedgerTime

  constructor(tables: MemoryTables, time: LedgerTime) {
    this.#tables = tables
    this.#time = time
  }

  async posts(by: PostOrder, before: Place | null, limit: number) {
    const listed: ListedPost[] = []
    for (const post of this.#tables.posts.values()) {
      const latest = this.#latestVerdict(post.id)?.kind ?? null
      if (isListed(post, latest, by)) listed.push({ post, latest })
    }
    return newestFirst(listed, before, limit, ({ post: { publishedAt, id } }) => ({
      at: publishedAt,
      id,
    }))
  }

  async news(ids: readonly PostId[]) {
    return ids.map((id) => this.#newsOf(id))
  }

  async actions(by: ActionOrder, before: Place | null, limit: number) {
    return newestFirst(this.#rowsOf(by), before, limit, ({ plannedAt, id }) => ({
      at: plannedAt,
      id,
    }))
  }

  async events(by: EventOrder, before: string | null, limit: number) {
    const from = before === null ? Infinity : Number(before)
    if (Number.isNaN(from)) {
      throw new InputError('before', `${shown(before)} is not a place that a page gave as its next`)
    }
    const placed: PlacedEvent[] = []
    for (const event of this.#tables.log.newestFirst(from)) {
      if (placed.length >= limit) break
      const isWanted =
        by.kind === 'all' ||
        (by.kind === 'post' ? event.postId === by.postId : isOf(by.ids, event.accountId))
      if (isWanted) placed.push({ event, place: String(event.seq) })
    }
    return placed
  }

  async overview(ids: readonly AccountId[] | null): Promise<Overview> {
    const { accounts, posts, openActions, actions } = this.#tables
    const isOurs = (accountId: AccountId) => ids === null || ids.includes(accountId)
    const watched = [...posts.values()].filter(
      ({ accountId, status }) => isOurs(accountId) && status === 'watched',
    )
    const open = [...openActions]
      .map((id) => this.#tables.action(id))
      .filter(({ accountId }) => isOurs(accountId))
    const inState = (state: ActionRow['state']) => open.filter((row) => row.state === state)
    const since = this.#time.now() - dayMs
    const ended = [...actions.values()].filter(
      ({ accountId, undoes, endedAt }) =>
        isOurs(accountId) && undoes === null && endedAt !== null && endedAt > since,
    )
    const expiries = inState('awaiting_approval').map(({ expiresAt }) => expiresAt)
    return {
      watched: watched.length,
      stalled: watched.filter(({ id }) => this.#latestVerdict(id)?.stalled === true).length,
      awaitingApproval: expiries.length,
      approved: inState('approved').length,
      running: inState('running').length,
      waiting: inState('waiting').length,
      unknown: inState('unknown').length,
      needsAttention: inState('needs_attention').length,
      sentLast24h: ended.filter(({ state }) => state === 'success').length,
      failedLast24h: ended.filter(({ state }) => state === 'failed').length,
      parkedAccounts: [...accounts.values()].filter(
        ({ id, status }) => isOurs(id) && status === 'parked',
      ).length,
      nextApprovalExpiresAt: expiries.length === 0 ? null : Math.min(...expiries),
    }
  }

  #latestVerdict(id: PostId): VerdictRow | null {
    return this.#tables.verdicts.get(id)[0] ?? null
  }

  #rowsOf(by: ActionOrder): readonly ActionRow[] {
    const { actions, actionsByPost, actionsByAccount, openActions } = this.#tables
    const rows = (ids: Iterable<ActionRow['id']>) => [...ids].map((id) => this.#tables.action(id))
    switch (by.kind) {
      case 'all':
        return [...actions.values()]
      case 'accounts':
        return by.ids.flatMap((id) => rows(actionsByAccount.get(id)))
      case 'post':
        return rows(actionsByPost.get(by.postId))
      case 'open':
        return rows(openActions).filter(({ state }) => by.states.includes(state))
    }
  }

  #newsOf(id: PostId): PostNews {
    const samples = this.#tables.samples.get(id) ?? []
    const verdict = this.#latestVerdict(id)
    const actions = this.#tables.actionsByPost.get(id).map((each) => this.#tables.action(each))
    const action = actions.find(({ state }) => isOpen(state)) ?? actions.at(-1) ?? null
    return {
      latest: verdict === null ? null : toLatest(verdict),
      newest: samples.at(-1) ?? null,
      points: toPoints(samples),
      action:
        action === null ? null : { id: action.id, action: action.action, state: action.state },
    }
  }
}

function isListed(post: PostRow, latest: VerdictRow['kind'] | null, by: PostOrder): boolean {
  switch (by.kind) {
    case 'all':
      return true
    case 'never_touch':
      return post.neverTouch
    case 'accounts':
      return isOf(by.ids, post.accountId)
    case 'latest':
      return latest === by.latest
    case 'status':
      return post.status === by.status
  }
}

function isOf(ids: readonly AccountId[], id: AccountId | null): boolean {
  return id !== null && ids.includes(id)
}

function newestFirst<Row>(
  rows: readonly Row[],
  before: Place | null,
  limit: number,
  placeOf: (row: Row) => Place,
): readonly Row[] {
  return rows
    .map((row) => ({ row, place: placeOf(row) }))
    .filter(({ place }) => before === null || compare(place, before) < 0)
    .sort((a, b) => compare(b.place, a.place))
    .slice(0, limit)
    .map(({ row }) => row)
}

function compare(a: Place, b: Place): number {
  return a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

function toLatest({ kind, reason, score, tier, until, evaluatedAt }: VerdictRow) {
  return { kind, reason, score, tier, until, evaluatedAt }
}

function toPoints(samples: readonly Sample[]): readonly EngagementPoint[] {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || samples.length <= mostPoints) {
    return samples.map(toPoint)
  }
  const read = pointTimes(first.at, last.at).map((time) => samples.findLast(({ at }) => at <= time))
  const chosen = new Set([...read, last].filter((sample) => sample !== undefined))
  return [...chosen].map(toPoint)
}

function toPoint({ at, engagements }: Sample): EngagementPoint {
  return { at, engagements }
}
