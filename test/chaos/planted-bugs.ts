/**
 * Owns bugs that are planted in a worker on purpose, at the seams around the engine. The audit
 * knows nothing of them and has to find them: one that finds nothing would prove nothing.
 */

import { withConnector } from '../../sim/planted-bugs/seams.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { AttemptCommand, AttemptResult, Ledger } from '../../src/ledger/index.ts'
import type { Platform } from '../../src/platform/platform.ts'

export type BugName =
  /** Takes a plan for claimed, whatever the ledger says, and its sends for begun. */
  | 'claims_regardless'
  /** Sends once more by itself when the answer is lost. */
  | 'retries_inside'
  /** Sends although the attempt was held, because something is paused. */
  | 'deaf_to_pauses'

export function plantInLedger(bug: BugName | null, ledger: Ledger): Ledger {
  switch (bug) {
    case 'claims_regardless':
      return { ...ledger, ...claimsRegardless(ledger) }
    case 'deaf_to_pauses':
      return {
        ...ledger,
        beginAttempt: async (command) => {
          const begun = await ledger.beginAttempt(command)
          return begun.kind === 'held' ? madeUp(command, await ledger.now()) : begun
        },
      }
    case 'retries_inside':
    case null:
      return ledger
  }
}

/** The attempt asks again whose claim it is, so whoever lies about one lies about both. */
function claimsRegardless(ledger: Ledger): Pick<Ledger, 'claim' | 'beginAttempt'> {
  return {
    claim: async (command) => {
      const result = await ledger.claim(command)
      if (result.kind === 'claimed' || result.kind === 'spent') return result
      const action = await ledger.getAction(command.actionId)
      const post = action === null ? null : await ledger.getPost(action.postId)
      if (action === null || post === null) return result
      const at = await ledger.now()
      const ours = { ...action, token: command.token }
      return { kind: 'claimed', at, action: ours, post, attempts: [] }
    },
    beginAttempt: async (command) => {
      const begun = await ledger.beginAttempt(command)
      return begun.kind === 'lost' ? madeUp(command, await ledger.now()) : begun
    },
  }
}

function madeUp(command: AttemptCommand, now: Instant): AttemptResult & { kind: 'begun' } {
  const { actionId, attemptId, token, segment, prepared, deadlineMs } = command
  const attempt = {
    id: attemptId,
    actionId,
    platform: '',
    number: 1,
    segment,
    token,
    startedAt: now,
    deadlineAt: now + deadlineMs,
    endedAt: null,
    result: 'pending' as const,
    fault: null,
    prepared,
    remoteId: null,
  }
  return { kind: 'begun', attempt }
}

export function plantInPlatform(bug: BugName | null, platform: Platform): Platform {
  if (bug !== 'retries_inside') return platform
  return withConnector((real) => ({
    commit: (request) => real.commit(request).catch(() => real.commit(request)),
  }))(platform)
}
