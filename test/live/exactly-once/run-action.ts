/**
 * Owns one action on a real network, from its plan to its end: writes the plan into a ledger, and
 * runs the engine as it is shipped until the action has ended or a person is asked. Both run in
 * whatever process calls them, so that one can be killed and another go on.
 */

import { pathToFileURL } from 'node:url'
import type { Action } from '../../../src/core/action.ts'
import { secondMs } from '../../../src/core/duration.ts'
import type { GuardSettings } from '../../../src/core/guards/guards.ts'
import { toAccountId, toActionId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import type { Policy } from '../../../src/core/policy.ts'
import { Secret } from '../../../src/core/secret.ts'
import { joinSegments } from '../../../src/core/segments.ts'
import { isEnded } from '../../../src/core/states.ts'
import type { State } from '../../../src/core/states.ts'
import { createEngine } from '../../../src/engine/engine.ts'
import { openSqliteLedger } from '../../../src/ledger/open-ledger.ts'
import type { Connector } from '../../../src/platform/connector.ts'
import { createGuardedSocket } from '../../../src/platform/fetch/guarded-socket.ts'
import { createGuardedFetch } from '../../../src/platform/guarded-fetch.ts'
import type { Observation, Platform } from '../../../src/platform/platform.ts'
import { systemRandom } from '../../../src/system.ts'
import {
  newAccount,
  newPost,
  planOf,
  policyFor,
  stalledSamples,
} from '../../torture/ledger-rows.ts'
import { LeapingClock } from './leaping-clock.ts'

/** An account as another process needs it: everything in it survives JSON. */
export interface LiveAccount {
  /** The file of the connector, and the name under which it is exported. */
  readonly module: string
  readonly exported: string
  readonly allowHosts: readonly string[]
  readonly handle: string
  readonly credentials: string | null
  readonly profile: Json
}

export interface ActionTask {
  readonly account: LiveAccount
  readonly ledgerPath: string
}

const actionName = 'the-action'
const accountName = 'the-account'

const guards: readonly GuardSettings[] = [
  { guard: 'paused' },
  { guard: 'open_action' },
  { guard: 'duplicate' },
]
const base = policyFor('exactly-once', guards)
const policy: Policy = { ...base, retry: { ...base.retry, firstDelayMs: secondMs } }

/** Short, as a stalled call is waited for. */
export const settings = {
  sendDeadlineMs: 2 * secondMs,
  readDeadlineMs: 2 * secondMs,
  leaseMs: 10 * secondMs,
  settleDelayMs: secondMs,
  clockJumpMs: Number.MAX_SAFE_INTEGER,
}

/** As in production, a request is given up before the send that it is part of. */
const limits = { headMs: settings.sendDeadlineMs / 2, timeoutMs: settings.sendDeadlineMs / 2 }

async function createPlatform(account: LiveAccount, clock: LeapingClock): Promise<Platform> {
  const { allowHosts } = account
  const loaded = (await import(pathToFileURL(account.module).href)) as Record<string, Connector>
  const connector = loaded[account.exported]
  if (connector === undefined) throw new Error(`${account.module} has no ${account.exported}`)
  const fetch = createGuardedFetch({ allowHosts, clock, limits })
  const socket = createGuardedSocket({ allowHosts, clock })
  return connector.create({ fetch, socket, clock, random: systemRandom })
}

/** Plans the action, on a post that is on the network already. Nothing is sent. */
export async function planAction(
  { account, ledgerPath }: ActionTask,
  post: { readonly remoteId: string; readonly action: Action; readonly texts: readonly string[] },
): Promise<void> {
  const clock = new LeapingClock()
  await using ledger = await openSqliteLedger({ path: ledgerPath, clock })
  const platform = await createPlatform(account, clock)
  const { text, contentVersion } = await readPost(platform, account, post.remoteId)
  const now = await ledger.now()
  const row = newAccount(accountName, platform.name, policy)
  // One of its own, as in production: the key of the action is made of it.
  const postName = `post-${systemRandom.id()}`
  const tracked = {
    ...newPost(postName, row, now),
    remoteId: post.remoteId,
    text,
    contentVersion,
  }
  await ledger.savePolicy(policy)
  const { handle, credentials, profile } = account
  // Sealed by nothing: it is a ledger of one test.
  await ledger.saveAccount({ ...row, handle, credentials, profile })
  await ledger.trackPosts([tracked])
  await ledger.recordSamples(stalledSamples(tracked, now))
  const plan = planOf(actionName, tracked, policy, post.action)
  const planned = await ledger.plan({ ...plan, text: joinSegments(post.texts) })
  if (planned.kind !== 'planned') throw new Error(`It was not planned: ${JSON.stringify(planned)}`)
}

async function readPost(
  platform: Platform,
  { handle, credentials, profile }: LiveAccount,
  remoteId: string,
): Promise<Observation & { kind: 'live' }> {
  const connection = {
    accountId: toAccountId(accountName),
    handle,
    credentials: credentials === null ? null : new Secret(credentials),
    profile,
    renew: null,
  }
  const { signal } = new AbortController()
  const [seen] = await platform.observe({ connection, signal, remoteIds: [remoteId] })
  if (seen?.kind !== 'live') throw new Error(`The post ${remoteId} is not there`)
  return seen
}

/** Whether the ledger has a send that was begun and has no result. */
export async function isSendingStill({ ledgerPath }: ActionTask): Promise<boolean> {
  await using ledger = await openSqliteLedger({ path: ledgerPath, clock: new LeapingClock() })
  const attempts = await ledger.listAttempts(toActionId(actionName))
  return attempts.some(({ result }) => result === 'pending')
}

const mostTurns = 40

/** Runs an engine until the action has ended or waits for a person. */
export async function runAction({ account, ledgerPath }: ActionTask): Promise<State> {
  const clock = new LeapingClock()
  await using ledger = await openSqliteLedger({ path: ledgerPath, clock })
  const platform = await createPlatform(account, clock)
  const problems: unknown[] = []
  await using engine = createEngine({
    ledger,
    platforms: [platform],
    clock,
    random: systemRandom,
    content: { write: async () => ({ kind: 'nothing', why: 'The plan has its text.' }) },
    openCredentials: ({ credentials }) => (credentials === null ? null : new Secret(credentials)),
    sealCredentials: (_, credentials) => credentials.reveal(),
    settings,
    onProblem: (problem) => problems.push(problem),
  })
  for (let turn = 0; turn < mostTurns; turn += 1) {
    await engine.tick()
    const row = await ledger.getAction(toActionId(actionName))
    if (row === null) throw new Error('The action is gone')
    if (isEnded(row.state) || row.state === 'needs_attention') return row.state
    clock.leapTo((await ledger.nextDueAt()) ?? clock.now())
  }
  throw new AggregateError(problems, `The action did not end within ${mostTurns} turns`)
}
