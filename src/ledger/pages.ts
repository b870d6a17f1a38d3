/**
 * Owns what people page through: posts, actions and events, newest first, and one look at all.
 * A page costs the same however long the history is: the store walks an index from a place on, and
 * of what no index decides at most some thousand rows are looked at for a page. Such a page may
 * hold less than was asked for; only where `next` is null there is no more.
 */

import type { Action, Tier } from '../core/action.ts'
import type { LedgerEvent } from '../core/events.ts'
import type { AccountId, ActionId, PostId } from '../core/ids.ts'
import { InputError, shown } from '../core/input-error.ts'
import type { Instant } from '../core/instant.ts'
import type { Sample } from '../core/sample.ts'
import { isOpen } from '../core/states.ts'
import type { State } from '../core/states.ts'
import type { Until } from '../core/until.ts'
import type { ActionRow, PostRow, VerdictRow } from './rows.ts'
import type {
  AccountScope,
  ActionFilter,
  ActionOrder,
  EventFilter,
  EventOrder,
  ListedPost,
  Place,
  PlacedEvent,
  PostOrder,
  Store,
} from './store.ts'

/** A page that goes back in time from a place, or from now where it is null. */
export interface BackPage {
  readonly before: string | null
  readonly limit: number
}

export interface PageOf<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins; null where there is no more. */
  readonly next: string | null
}

export interface PostQuery extends AccountScope {
  readonly platform?: string
  readonly status?: PostRow['status']
  /** What the post's latest verdict is. */
  readonly latest?: VerdictRow['kind']
  readonly neverTouch?: boolean
  /** A part of its text, whatever the case of its letters. */
  readonly text?: string
}

export interface ActionQuery extends ActionFilter, AccountScope {
  readonly action?: Action
  readonly platform?: string
  /** Only undos of this action; with null only actions that are no undo. */
  readonly undoes?: ActionId | null
}

export interface EventQuery extends EventFilter {
  readonly postId?: PostId
  readonly actionId?: ActionId
}

/** What a list shows of a post. */
export interface PostSummary extends PostRow, PostNews {}

/** What became of a post lately. */
export interface PostNews {
  readonly latest: LatestVerdict | null
  readonly newest: Sample | null
  /** At most 24 readings from the first to the newest, spread evenly over that time. */
  readonly points: readonly EngagementPoint[]
  /** The one that is open, or the last one. */
  readonly action: { readonly id: ActionId; readonly action: Action; readonly state: State } | null
}

export interface LatestVerdict {
  readonly kind: VerdictRow['kind']
  readonly reason: string | null
  readonly score: number | null
  readonly tier: Tier | null
  readonly until: Until | null
  readonly evaluatedAt: Instant
}

export interface EngagementPoint {
  readonly at: Instant
  readonly engagements: number
}

/** The most points that a post's curve is shown with. */
export const mostPoints = 24

/** The moments to read a long curve at; the newest reading comes after them. */
export function pointTimes(firstAt: Instant, lastAt: Instant): readonly Instant[] {
  const gaps = mostPoints - 1
  return Array.from({ length: gaps }, (_, index) => firstAt + ((lastAt - firstAt) * index) / gaps)
}

export interface Overview {
  readonly watched: number
  /** Watched posts whose latest verdict says that they stall. */
  readonly stalled: number
  readonly awaitingApproval: number
  readonly approved: number
  readonly running: number
  readonly waiting: number
  readonly unknown: number
  readonly needsAttention: number
  /** Actions that succeeded in the last 24 hours; undos do not count. */
  readonly sentLast24h: number
  readonly failedLast24h: number
  readonly parkedAccounts: number
  /** When the first of the approvals that are waited for runs out. */
  readonly nextApprovalExpiresAt: Instant | null
}

export interface Pages {
  /** By when they were published, the newest first. */
  pagePosts(filter: PostQuery, page: BackPage): Promise<PageOf<PostSummary>>
  /** By when they were planned, the newest first. */
  pageActions(filter: ActionQuery, page: BackPage): Promise<PageOf<ActionRow>>
  /** The newest first. */
  pageEvents(filter: EventQuery, page: BackPage): Promise<PageOf<LedgerEvent>>
  overview(scope?: AccountScope): Promise<Overview>
}

export function createPages(store: Store): Pages {
  return {
    pagePosts: async (filter, page) => {
      const by = orderOfPosts(filter)
      const found = await walk<ListedPost>(page, {
        read: (before, limit) => store.pages.posts(by, toPlace(before), limit),
        placeOf: ({ post: { publishedAt, id } }) => `${publishedAt}:${id}`,
        matches: matcherOfPosts(filter),
      })
      const news = await store.pages.news(found.items.map(({ post }) => post.id))
      const items = found.items.map(({ post }, index) => ({ ...post, ...(news[index] ?? none) }))
      return { items, next: found.next }
    },
    pageActions: async (filter, page) => {
      const by = await orderOfActions(store, filter)
      return walk<ActionRow>(page, {
        read: (before, limit) => store.pages.actions(by, toPlace(before), limit),
        placeOf: ({ plannedAt, id }) => `${plannedAt}:${id}`,
        matches: matcherOfActions(filter),
      })
    },
    pageEvents: async (filter, page) => {
      const by = await orderOfEvents(store, filter)
      const found = await walk<PlacedEvent>(page, {
        read: (before, limit) => store.pages.events(by, before, limit),
        placeOf: ({ place }) => place,
        matches: matcherOfEvents(filter),
      })
      return { items: found.items.map(({ event }) => event), next: found.next }
    },
    overview: (scope = {}) => store.pages.overview(accountsOf(scope)),
  }
}

const none: PostNews = { latest: null, newest: null, points: [], action: null }

/** The accounts that a filter lets through, or null where it names none. */
export function accountsOf({ accountId, accountIds }: AccountScope): readonly AccountId[] | null {
  if (accountIds === undefined) return accountId === undefined ? null : [accountId]
  if (accountId === undefined) return [...new Set(accountIds)]
  return accountIds.includes(accountId) ? [accountId] : []
}

/** The index that leaves the fewest rows to look at. */
function orderOfPosts(filter: PostQuery): PostOrder {
  const ids = accountsOf(filter)
  if (ids !== null) return { kind: 'accounts', ids }
  if (filter.neverTouch === true) return { kind: 'never_touch' }
  if (filter.latest !== undefined) return { kind: 'latest', latest: filter.latest }
  if (filter.status !== undefined) return { kind: 'status', status: filter.status }
  return { kind: 'all' }
}

function matcherOfPosts(filter: PostQuery): (listed: ListedPost) => boolean {
  const { platform, status, neverTouch } = filter
  const text = filter.text?.toLowerCase() ?? ''
  return ({ post, latest }) =>
    isIn(platform, post.platform) &&
    isIn(status, post.status) &&
    isIn(neverTouch, post.neverTouch) &&
    isIn(filter.latest, latest) &&
    (text === '' || (post.text?.toLowerCase().includes(text) ?? false))
}

function isIn<Value>(wanted: Value | undefined, value: Value | null): boolean {
  return wanted === undefined || wanted === value
}

async function orderOfActions(store: Store, filter: ActionQuery): Promise<ActionOrder> {
  const ids = accountsOf(filter)
  const { postId, undoes, states } = filter
  if (postId !== undefined) return { kind: 'post', postId }
  if (undoes !== undefined && undoes !== null) return ofAction(store, undoes)
  if (states?.every(isOpen) === true) return { kind: 'open', states }
  return ids === null ? { kind: 'all' } : { kind: 'accounts', ids }
}

/** What belongs to an action belongs to its post, which has an index. */
async function ofAction(store: Store, id: ActionId) {
  const action = await store.getAction(id)
  if (action === null) return { kind: 'accounts', ids: [] } as const
  return { kind: 'post', postId: action.postId } as const
}

function matcherOfActions(filter: ActionQuery): (row: ActionRow) => boolean {
  const ids = accountsOf(filter)
  const { postId, states, action, platform, undoes } = filter
  return (row) =>
    (ids === null || ids.includes(row.accountId)) &&
    isIn(postId, row.postId) &&
    (states === undefined || states.includes(row.state)) &&
    isIn(action, row.action) &&
    isIn(platform, row.platform) &&
    isIn(undoes, row.undoes)
}

async function orderOfEvents(store: Store, filter: EventQuery): Promise<EventOrder> {
  if (filter.postId !== undefined) return { kind: 'post', postId: filter.postId }
  if (filter.actionId !== undefined) return ofAction(store, filter.actionId)
  const ids = accountsOf(filter)
  return ids === null ? { kind: 'all' } : { kind: 'accounts', ids }
}

function matcherOfEvents(filter: EventQuery): (placed: PlacedEvent) => boolean {
  const ids = accountsOf(filter)
  const { types, postId, actionId } = filter
  return ({ event }) =>
    (types === undefined || types.includes(event.type)) &&
    (ids === null || (event.accountId !== null && ids.includes(event.accountId))) &&
    isIn(postId, event.postId) &&
    isIn(actionId, event.actionId)
}

function toPlace(cursor: string | null): Place | null {
  if (cursor === null) return null
  const colon = cursor.indexOf(':')
  const at = Number(cursor.slice(0, colon))
  if (colon > 0 && Number.isFinite(at)) return { at, id: cursor.slice(colon + 1) }
  throw new InputError('before', `${shown(cursor)} is not a place that a page gave as its next`)
}

/** How many rows are looked at for one page, and at first. */
const mostLookedAt = 5000
const fewest = 100

interface Walk<Row> {
  read(before: string | null, limit: number): Promise<readonly Row[]>
  placeOf(row: Row): string
  matches(row: Row): boolean
}

/** Takes what matches. While much does not, more is read at a time. */
async function walk<Row>({ before, limit }: BackPage, by: Walk<Row>): Promise<PageOf<Row>> {
  const items: Row[] = []
  let place = before
  let size = limit + 1
  for (let seen = 0; seen < mostLookedAt; size = Math.min(size * 2 + fewest, 1000)) {
    const rows = await by.read(place, size)
    for (const row of rows) {
      if (items.length >= limit && by.matches(row)) return { items, next: place }
      place = by.placeOf(row)
      if (by.matches(row)) items.push(row)
    }
    if (rows.length < size) return { items, next: null }
    if (items.length >= limit) return { items, next: place }
    seen += rows.length
  }
  return { items, next: place }
}
