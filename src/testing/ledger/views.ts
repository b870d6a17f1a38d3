/** Owns plain rows and views for tests of single steps, each to be changed in one respect. */

import { hourMs, minuteMs } from '../../core/duration.ts'
import { toAccountId, toActionId, toPostId } from '../../core/ids.ts'
import { actionKey } from '../../core/key.ts'
import type { AccountRow, ActionRow, AttemptRow, PostRow } from '../../ledger/rows.ts'
import { hashText } from '../../ledger/steps/plan.ts'
import type { ActionView } from '../../ledger/views.ts'
import { noon } from './harness.ts'

export function accountRow(changes: Partial<AccountRow> = {}): AccountRow {
  return {
    id: toAccountId('account'),
    platform: 'bluesky',
    handle: '@someone',
    mode: 'auto',
    timeZone: 'UTC',
    policy: 'conformance@1',
    holdoutShare: 0,
    credentials: null,
    status: 'active',
    statusReason: null,
    createdAt: noon,
    discoverAt: null,
    profile: null,
    ...changes,
  }
}

export function postRow(changes: Partial<PostRow> = {}): PostRow {
  return {
    id: toPostId('post'),
    accountId: toAccountId('account'),
    platform: 'bluesky',
    remoteId: 'remote',
    url: null,
    text: 'A post that nobody reads.',
    contentVersion: null,
    publishedAt: noon - 2 * hourMs,
    status: 'watched',
    neverTouch: false,
    arm: 'act',
    propensity: 1,
    nextCheckAt: null,
    trackedAt: noon,
    closedAt: null,
    ...changes,
  }
}

/** A claim in force, unless it is changed to something else. */
export function actionRow(changes: Partial<ActionRow> = {}): ActionRow {
  return {
    id: toActionId('action'),
    key: actionKey('post', 'comment', 'tier_1'),
    postId: toPostId('post'),
    accountId: toAccountId('account'),
    platform: 'bluesky',
    action: 'comment',
    tier: 'tier_1',
    generation: 0,
    state: 'running',
    policy: 'conformance@1',
    score: 0.9,
    text: 'What do you think?',
    textHash: hashText('What do you think?'),
    revision: 1,
    plannedAt: noon,
    expiresAt: noon + hourMs,
    noticeAt: null,
    dueAt: noon + minuteMs,
    token: 'token-1',
    leaseUntil: noon + minuteMs,
    firstClaimedAt: noon,
    attempts: 0,
    mayLandUntil: noon + minuteMs,
    endedAt: null,
    outcome: null,
    fault: null,
    undoes: null,
    version: 2,
    ...changes,
  }
}

export function attemptRow(changes: Partial<AttemptRow> = {}): AttemptRow {
  return {
    id: 'attempt-1',
    actionId: toActionId('action'),
    platform: 'bluesky',
    number: 1,
    segment: 0,
    token: 'token-1',
    startedAt: noon,
    deadlineAt: noon + 20_000,
    endedAt: null,
    result: 'pending',
    fault: null,
    prepared: null,
    remoteId: null,
    ...changes,
  }
}

export function actionView(changes: Partial<ActionView> = {}): ActionView {
  return {
    now: noon + 1,
    account: accountRow(),
    post: postRow(),
    action: actionRow(),
    attempts: [],
    pauses: [],
    approvals: [],
    ...changes,
  }
}
