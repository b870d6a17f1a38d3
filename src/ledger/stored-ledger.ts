/** The ledger on a store: joins each call of the port to its step. Holds no state of its own. */

import type { NewEvent } from '../core/events.ts'
import type { TallyEntry } from '../core/history.ts'
import type { AccountId, ActionId, PostId } from '../core/ids.ts'
import { InputError, shown } from '../core/input-error.ts'
import { policyId } from '../core/policy.ts'
import { isOpen, states } from '../core/states.ts'
import { requireSample } from '../core/sample.ts'
import { auditStart, checkEntry } from './audit.ts'
import {
  parseClassicRecords,
  toClassicRecords,
  toImportedAction,
  toImportedPost,
} from './classic-history.ts'
import { toDecisionInput } from './decision-input.ts'
import { LedgerError } from './ledger-error.ts'
import type { Accounts, Actions, AuditReport, Keeping, Learning, Ledger, Posts } from './ledger.ts'
import { createPages } from './pages.ts'
import { noReach, reachOf } from './reach.ts'
import { pauseAfterRestore } from './restore-pause.ts'
import type { ActionRow, PauseRow, PostRow } from './rows.ts'
import { createShelf } from './shelf.ts'
import {
  activateStep,
  parkStep,
  profileStep,
  replaceCredentialsStep,
  updateStep,
} from './steps/account.ts'
import { decisionStep } from './steps/approval.ts'
import { attemptStep } from './steps/attempt.ts'
import { claimStep } from './steps/claim.ts'
import { expireStep, noticeStep, renewStep } from './steps/lease.ts'
import { concerns, isInForce, pauseEvent } from './steps/pause.ts'
import { planStep } from './steps/plan.ts'
import { closeStep, contentStep, measureStep, neverTouchStep } from './steps/post.ts'
import { reconcileStep } from './steps/reconcile.ts'
import { settleStep } from './steps/settle.ts'
import { undoStep } from './steps/undo.ts'
import type { Page, Step, Store } from './store.ts'
import type { ActionView, ClaimView } from './views.ts'
import {
  keepable,
  keepableContent,
  keepablePost,
  keepableSettlement,
  requireText,
  requireTexts,
} from './stored-text.ts'

/** Puts the ledger's meaning on a store. Closing the ledger closes the store. */
export function createLedger(store: Store): Ledger {
  return {
    now: () => store.now(),
    ...accountsIn(store),
    ...postsIn(store),
    ...actionsIn(store),
    ...learningIn(store),
    ...keepingIn(store),
    ...createPages(store),
    ...createShelf({ items: store.items, now: () => store.now() }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const openStates = states.filter(isOpen)

function accountsIn(store: Store): Accounts {
  return {
    savePolicy: async (policy) => {
      if ((await store.savePolicy(policy)) !== 'differs') return
      throw new LedgerError(
        'conflict',
        `Policy ${policyId(policy)} is stored with other values. Give the new one a new version.`,
      )
    },
    getPolicy: (id) => store.getPolicy(id),
    listPolicies: async () => (await store.listPolicies()).map((id) => ({ id })),
    saveAccount: async (account) => {
      await requirePolicy(store, account.policy, 'account.policy')
      const event: NewEvent = {
        type: 'account_saved',
        at: await store.now(),
        accountId: account.id,
        postId: null,
        actionId: null,
        data: { mode: account.mode, policy: account.policy },
      }
      const { handle, statusReason } = account
      const row = {
        ...account,
        handle: keepable(handle),
        statusReason: statusReason && keepable(statusReason),
      }
      await store.saveAccount(row, [event])
    },
    getAccount: (id) => store.getAccount(id),
    listAccounts: () => store.listAccounts(),
    updateAccount: async (id, change) => {
      if (change.policy !== undefined) await requirePolicy(store, change.policy, 'policy')
      const { handle } = change
      const kept = handle === undefined ? change : { ...change, handle: keepable(handle) }
      return store.withAccount(id, (view) => updateStep(view, kept))
    },
    setProfile: async (id, handle, profile) => {
      await store.withAccount(id, (view) => profileStep(view, keepable(handle), profile))
    },
    parkAccount: async (id, code, reason) => {
      required(await store.withAccount(id, (view) => parkStep(view, code, keepable(reason))), id)
    },
    activateAccount: (id, credentials) =>
      store.withAccount(id, (view) => activateStep(view, credentials)),
    replaceCredentials: async (id, expected, next) =>
      (await store.withAccount(id, (view) => replaceCredentialsStep(view, expected, next))) ??
      false,
    setDiscoverAt: (id, at) => store.setDiscoverAt(id, at),
  }
}

function postsIn(store: Store): Posts {
  return {
    trackPosts: (posts) => store.trackPosts(posts.map(keepablePost)),
    getPost: async (id) => (await store.getPosts([id]))[0] ?? null,
    getPosts: (ids) => store.getPosts(ids),
    setNextCheckAt: (ids, at) => store.setNextCheckAt(ids, at),
    listPosts: (filter, page) => store.listPosts(filter, page),
    setNeverTouch: (id, on) => store.withPost(id, noReach, (view) => neverTouchStep(view, on)),
    recordContent: (id, seen) => {
      const kept = keepableContent(seen)
      return store.withPost(id, noReach, (view) => contentStep(view, kept))
    },
    closePost: (id, status) => store.withPost(id, noReach, (view) => closeStep(view, status)),
    recordSamples: (batch) => {
      batch.forEach(({ sample }, index) => requireSample(sample, `batch[${index}].sample`))
      return store.recordSamples(batch)
    },
    listSamples: (id) => store.listSamples(id),
    recordOwnReplies: (replies) =>
      store.recordOwnReplies(
        replies.map((reply) => ({ ...reply, remoteId: keepable(reply.remoteId) })),
      ),
  }
}

function actionsIn(store: Store): Actions {
  const onAction = async <R>(id: ActionId, step: (view: ActionView) => Step<R>): Promise<R> =>
    required(await store.withAction(id, step), id)
  const decisionInputs: Actions['decisionInputs'] = async (ids, policy, capabilities, baseline) => {
    const views = await store.readPosts(ids, reachOf(policy))
    return views.map((view) =>
      view === null ? null : toDecisionInput(view, policy, capabilities, baseline ?? null),
    )
  }
  return {
    decisionInput: async (id, ...given) => (await decisionInputs([id], ...given))[0] ?? null,
    decisionInputs,
    recordVerdict: async (id, command) =>
      (await store.recordLooks([{ postId: id, ...command }]))[0] ?? null,
    recordVerdicts: (looks) => store.recordLooks(looks),
    plan: async (command) => {
      requireText(command.text, 'text')
      const reach = reachOf(command.policy)
      return required(
        await store.withPost(command.postId, reach, (view) => planStep(view, command)),
        command.postId,
      )
    },
    claim: async (command) => {
      const { actionId, policy } = command
      const step = (view: ClaimView) => claimStep(view, command)
      return required(await store.withClaim(actionId, reachOf(policy), step), actionId)
    },
    beginAttempt: async (command) => {
      const { actionId, policy } = command
      const step = (view: ActionView, tally: readonly TallyEntry[]) =>
        attemptStep(view, tally, command)
      return required(await store.withAction(actionId, step, reachOf(policy).platformMs), actionId)
    },
    settle: async (given) => {
      const command = { ...given, settlement: keepableSettlement(given.settlement) }
      return onAction(command.actionId, (view) => settleStep(view, command))
    },
    renew: (command) => onAction(command.actionId, (view) => renewStep(view, command)),
    expire: (limit, settleDelayMs) => expire(store, limit, settleDelayMs),
    reconcile: async (given) => {
      const command = { ...given, finding: keepableSettlement(given.finding) }
      return onAction(command.actionId, (view) => reconcileStep(view, command))
    },
    decide: async (command) => {
      requireTexts(command.decision)
      requireText(command.by, 'by')
      const before = await store.listApprovals(command.actionId)
      return onAction(command.actionId, (view) => decisionStep(view, command, before))
    },
    getAction: (id) => store.getAction(id),
    listActions: (filter, page) => store.listActions(filter, page),
    listRecentTexts: (id, limit) => store.listRecentTexts(id, limit),
    listAttempts: (id) => store.listAttempts(id),
    listApprovals: (id) => store.listApprovals(id),
    listVerdicts: (id, limit) => store.listVerdicts(id, limit),
    due: (kind, limit) => store.due(kind, limit),
    dueOfEach: (kinds, limit) => Promise.all(kinds.map((kind) => store.due(kind, limit))),
    nextDueAt: () => store.nextDueAt(),
    noticeExpiry: (id) => onAction(id, noticeStep),
    planUndo: async (command) =>
      required(
        await store.withPost(command.postId, noReach, (view) => undoStep(view, command)),
        command.postId,
      ),
  }
}

async function requirePolicy(store: Store, id: string, field: string): Promise<void> {
  if ((await store.getPolicy(id)) !== null) return
  throw new InputError(field, `${shown(id)} is not a stored policy`)
}

async function expire(
  store: Store,
  limit: number,
  settleDelayMs: number,
): Promise<readonly ActionRow[]> {
  const ids = [...(await store.due('lease', limit)), ...(await store.due('expire', limit))]
  const changed: ActionRow[] = []
  for (const id of ids) {
    const result = await store.withAction(id as ActionId, (view) => expireStep(view, settleDelayMs))
    if (result?.kind === 'changed') changed.push(result.action)
  }
  await store.items.sweep(limit)
  return changed
}

function learningIn(store: Store): Learning {
  return {
    dueMeasurements: (limit) => store.dueMeasurements(limit),
    listMeasurements: (id) => store.listMeasurements(id),
    takeMeasurement: (taken) =>
      store.withMeasurement(taken.postId, taken.horizonMs, (view) => measureStep(view, taken)),
    saveCurve: (curve, keep) => store.saveCurve(curve, keep),
    listCurves: (filter, limit) => store.listCurves(filter, limit),
    setWithoutLift: (accountId, action, count) => store.setWithoutLift(accountId, action, count),
  }
}

function keepingIn(store: Store): Keeping {
  return {
    pause: async (pause) => {
      requireText(pause.reason, 'reason')
      requireText(pause.by, 'by')
      const since = await store.now()
      await store.pause({ ...pause, since }, [pauseEvent('paused', since, pause)])
      return listInFlight(store, pause)
    },
    rest: async (pause) => {
      const since = await store.now()
      return store.rest({ ...pause, since }, [pauseEvent('paused', since, pause)])
    },
    resume: async (scope, target) =>
      store.resume(scope, target, [pauseEvent('resumed', await store.now(), { scope, target })]),
    listPauses: async () => {
      const [pauses, now] = await Promise.all([store.listPauses(), store.now()])
      return pauses.filter((pause) => isInForce(pause, now))
    },
    settleSetting: async (name, value) => {
      requireText(name, 'name')
      requireText(value, 'value')
      return store.settleSetting(name, value)
    },
    getSetting: (name) => store.getSetting(name),
    importClassic: (accountId, given) => importClassic(store, accountId, given),
    exportClassic: async (accountId) => {
      const rows = await collect((page) => store.listActions({ accountId }, page))
      return toClassicRecords(rows)
    },
    eraseAccount: async (id) => {
      const at = await store.now()
      const subject = { accountId: id, postId: null, actionId: null }
      await store.eraseAccount(id, at, [{ type: 'account_erased', at, ...subject, data: {} }])
    },
    shrinkSamples: async (keepMs, keepAgesMs, limit) =>
      store.shrinkSamples((await store.now()) - keepMs, keepAgesMs, limit),
    markRestored: (by) => markRestored(store, by),
    readEvents: (after, filter, limit) => store.readEvents(after, filter, limit),
    seal: (limit) => store.seal(limit),
    verifyAudit: () => verifyAudit(store),
  }
}

async function listInFlight(
  store: Store,
  pause: Pick<PauseRow, 'scope' | 'target'>,
): Promise<readonly ActionRow[]> {
  const running = await collect((page) => store.listActions({ states: ['running'] }, page))
  return running.filter(({ accountId, platform }) => concerns(pause, accountId, platform))
}

/** Reads all pages of a list. */
async function collect<Row extends { readonly id: string }>(
  read: (page: Page) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const limit = 500
  const rows: Row[] = []
  for (;;) {
    const page = await read({ after: rows.at(-1)?.id ?? null, limit })
    rows.push(...page)
    if (page.length < limit) return rows
  }
}

async function importClassic(
  store: Store,
  accountId: AccountId,
  given: readonly unknown[],
): Promise<number> {
  const account = await store.getAccount(accountId)
  if (account === null) throw new InputError('accountId', `${shown(accountId)} is not known`)
  const classic = parseClassicRecords(given)
  const at = await store.now()
  const posts = new Map<PostId, PostRow>()
  for (const record of classic) {
    const post = toImportedPost(record, account, at)
    const earlier = posts.get(post.id)
    if (earlier === undefined || post.publishedAt < earlier.publishedAt) posts.set(post.id, post)
  }
  const open = await collect((page) => store.listActions({ accountId, states: openStates }, page))
  const taken = new Set<string>(open.map(({ postId }) => postId))
  const rows = classic.map((record) => {
    const row = toImportedAction(record, account, at, !taken.has(record.post_id))
    if (row.endedAt === null) taken.add(record.post_id)
    return row
  })
  const subject = { accountId, postId: null, actionId: null }
  const data = { rows: rows.length }
  const event: NewEvent = { type: 'history_imported', at, ...subject, data }
  return store.importActions({ posts: [...posts.values()], actions: rows }, [event])
}

async function markRestored(store: Store, by: string): Promise<void> {
  const since = await store.now()
  const before = await store.listPauses()
  for (const { id } of await store.listAccounts()) {
    const pause = pauseAfterRestore(id, before, since, by)
    if (pause !== null) await store.pause(pause, [pauseEvent('paused', since, pause)])
  }
  // Said last: from here on nothing is sent that was not matched.
  const subject = { accountId: null, postId: null, actionId: null }
  await store.say([{ type: 'restored', at: since, ...subject, data: {} }])
}

async function verifyAudit(store: Store): Promise<AuditReport> {
  const limit = 1000
  let check = auditStart
  for (;;) {
    const page = await store.readAudit(check.number, limit)
    for (const { entry, event } of page) check = checkEntry(check, entry, event)
    if (page.length < limit) break
  }
  const unsealed = await store.countUnsealed()
  return { entries: check.number, head: check.hash, unsealed, problems: check.problems }
}

function required<R>(result: R | null, id: string): R {
  if (result === null) throw new InputError('id', `${shown(id)} is not in the ledger`)
  return result
}
