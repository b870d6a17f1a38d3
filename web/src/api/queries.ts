/** Owns what the screens ask the server for, each question under a key that events can name. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AccountDetail, AccountView } from '../../../src/server/schema/account.ts'
import type { ActionDetail, ActionPage } from '../../../src/server/schema/action.ts'
import type { AuditPage, AuditReportView } from '../../../src/server/schema/event.ts'
import type { LiftView } from '../../../src/server/schema/lift.ts'
import type { OverviewView, SystemView } from '../../../src/server/schema/overview.ts'
import type { PauseView } from '../../../src/server/schema/pause.ts'
import type { PlatformView } from '../../../src/server/schema/platform.ts'
import type { PolicyDetail, PolicyView } from '../../../src/server/schema/policy.ts'
import type { PostDetail, PostPage } from '../../../src/server/schema/post.ts'
import type { SessionView, TokenView } from '../../../src/server/schema/session.ts'
import type { DeliveryView, WebhookView } from '../../../src/server/schema/webhook.ts'
import { get, post } from './request.ts'
import type { Query } from './request.ts'

interface List<Item> {
  readonly items: readonly Item[]
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<SessionView>('/session', {}, signal),
})

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => get<OverviewView>('/overview', {}, signal),
  // The banner and the clock rest on it, also where nothing happens for a while.
  refetchInterval: 15_000,
})

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => get<SystemView>('/system', {}, signal),
  refetchInterval: 10_000,
})

export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: async ({ signal }) => (await get<List<AccountView>>('/accounts', {}, signal)).items,
})

export function accountQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', id],
    queryFn: ({ signal }) => get<AccountDetail>(`/accounts/${encodeURIComponent(id)}`, {}, signal),
  })
}

export const platformsQuery = queryOptions({
  queryKey: ['platforms'],
  queryFn: async ({ signal }) => (await get<List<PlatformView>>('/platforms', {}, signal)).items,
  staleTime: Infinity,
})

export const pausesQuery = queryOptions({
  queryKey: ['pauses'],
  queryFn: async ({ signal }) => (await get<List<PauseView>>('/pauses', {}, signal)).items,
})

const pageSize = 100

/** A list that goes on as far as someone scrolls. */
function pages<Page extends { readonly next: string | null }>(path: string, filter: Query) {
  return infiniteQueryOptions({
    queryKey: [path.slice(1), 'pages', filter],
    queryFn: ({ pageParam, signal }) =>
      get<Page>(path, { ...filter, cursor: pageParam, limit: pageSize }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
}

export const postsQuery = (filter: Query) => pages<PostPage>('/posts', filter)
export const actionsQuery = (filter: Query) => pages<ActionPage>('/actions', filter)
export const auditQuery = (filter: Query) => pages<AuditPage>('/audit', filter)

export function postQuery(id: string) {
  return queryOptions({
    queryKey: ['posts', 'one', id],
    queryFn: ({ signal }) => get<PostDetail>(`/posts/${encodeURIComponent(id)}`, {}, signal),
  })
}

export function actionQuery(id: string) {
  return queryOptions({
    queryKey: ['actions', 'one', id],
    queryFn: ({ signal }) => get<ActionDetail>(`/actions/${encodeURIComponent(id)}`, {}, signal),
  })
}

export function liftQuery(filter: Query) {
  return queryOptions({
    queryKey: ['lift', filter],
    queryFn: ({ signal }) => get<LiftView>('/lift', filter, signal),
  })
}

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: async ({ signal }) => (await get<List<PolicyView>>('/policies', {}, signal)).items,
})

export function policyQuery(id: string) {
  return queryOptions({
    queryKey: ['policies', id],
    queryFn: ({ signal }) => get<PolicyDetail>(`/policies/${encodeURIComponent(id)}`, {}, signal),
    // A version never changes.
    staleTime: Infinity,
  })
}

export const auditReportQuery = queryOptions({
  queryKey: ['audit-report'],
  // It reads every event there is; once it was asked for, that answer stands.
  staleTime: Infinity,
  queryFn: () => post<AuditReportView>('/audit/verify'),
})

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => (await get<List<TokenView>>('/tokens', {}, signal)).items,
})

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await get<List<WebhookView>>('/webhooks', {}, signal)).items,
})

export function deliveriesQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id],
    queryFn: async ({ signal }) => {
      const path = `/webhooks/${encodeURIComponent(id)}/deliveries`
      return (await get<List<DeliveryView>>(path, {}, signal)).items
    },
  })
}
