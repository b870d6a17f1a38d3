/** Bodies that do something: what a program that knows its way around would send. */

import { formatInstant } from '../../src/core/instant.ts'
import { hourMs, minuteMs } from '../../src/core/duration.ts'
import type { ActionRow } from '../../src/ledger/index.ts'
import type { Operation } from './requests.ts'
import type { World } from './world.ts'

/** What the request is about. */
export interface Subject {
  readonly accountId: string
  readonly postId: string
  readonly action: ActionRow | null
}

/** An empty object where nothing better is known. */
export function goodBody(world: World, { path }: Operation, subject: Subject): unknown {
  const { accountId, postId, action } = subject
  const { clock, network, policy } = world.stage
  const now = clock.now()
  const at = (agoMs: number) => formatInstant(now - agoMs)
  const textHash = action?.textHash ?? 'x'
  const platform = network.platform.name
  const values = { handle: accountId, password: 'secret' }
  const sample = { at: at(minuteMs), impressions: 5, engagements: 1 }
  const bodies: Readonly<Record<string, unknown>> = {
    '/tokens': { name: 'ci', scope: 'read', accountIds: [accountId] },
    '/accounts': { kind: 'direct', platform, signIn: 'app-password', values },
    '/accounts/sign-ins': { platform, signIn: 'browser' },
    '/accounts/{id}': { mode: 'watch', holdoutShare: 0.1 },
    '/accounts/{id}/sign-in': { signIn: 'app-password', values },
    '/posts': { accountId, remoteId: `r-${now}`, publishedAt: at(hourMs), text: 'New' },
    '/posts/{id}/never-touch': { on: true },
    '/samples': { samples: [{ postId, sample }] },
    '/evaluate': { post: { id: 'p', publishedAt: at(hourMs) }, samples: [sample], accountId },
    '/evaluate/classic': {
      post_id: 'p',
      metrics: [{ timestamp: at(minuteMs), impressions: 5, engagements: 1 }],
    },
    '/actions/{id}/approve': { textHash },
    '/actions/{id}/reject': { reason: 'No' },
    '/actions/{id}/revise': { textHash, text: 'Other words.' },
    '/actions/{id}/snooze': { forMs: hourMs },
    '/actions/{id}/cancel': { reason: 'No' },
    '/actions/{id}/attend': { landed: true },
    '/approvals/bulk': { filter: { accountId }, decision: { kind: 'reject' } },
    '/policies': { policy: { ...policy, name: 'fuzz' } },
    '/policies/validate': { policy },
    '/policies/dry-run': { policy: 'stage@1', accountId, days: 3 },
    '/pauses': { scope: 'account', target: accountId },
    '/webhooks': { url: 'https://hooks.example/in', types: ['paused'] },
    '/webhooks/{id}': { active: false },
  }
  return bodies[path.replace('/api/v1', '')] ?? {}
}
