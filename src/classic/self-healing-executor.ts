/**
 * The original executor's face: the same questions, the same answers, the same file. Every decision
 * is the core's, under the classic policy; here words are only translated and outcomes remembered.
 */

import { everythingSupported } from '../core/capabilities.ts'
import type { Clock } from '../core/clock.ts'
import { decide } from '../core/decide.ts'
import { noPast } from '../core/decision-input.ts'
import type { DecisionInput } from '../core/decision-input.ts'
import { requireWellFormed } from '../core/ids.ts'
import { InputError, shown } from '../core/input-error.ts'
import { toInstant } from '../core/instant.ts'
import type { Json } from '../core/json.ts'
import { actionKey } from '../core/key.ts'
import type { Policy } from '../core/policy.ts'
import { decideRetry } from '../core/retry.ts'
import { systemClock } from '../system.ts'
import { ActionHistory } from './action-history.ts'
import { toPolicy } from './evaluation-config.ts'
import type { EvaluationConfig } from './evaluation-config.ts'
import { HistoryFile } from './history-file.ts'
import { outcomeText, toActionRecord } from './stored-record.ts'
import {
  requireActionType,
  requireObject,
  requireTier,
  toFault,
  toResult,
  toSamples,
} from './translation.ts'
import type {
  ActionRecord,
  ActionTier,
  ActionType,
  EvaluationResult,
  PostMetricsPoint,
  Time,
} from './wire.ts'
import { instantToWireTime, toWireTime } from './wire-time.ts'

/** Where the original keeps its history, seen from the working directory. */
export const defaultPersistencePath = 'backend/data/self_healing_action_history.json'

/** How an executor is set up. */
export interface SelfHealingExecutorOptions {
  /** What differs from the original's defaults. */
  readonly config?: EvaluationConfig | undefined
  /** The history file; `backend/data/self_healing_action_history.json` unless set. */
  readonly persistencePath?: string | undefined
  /** Asked where a call passes no `now`; the machine's clock unless set. */
  readonly clock?: Clock | undefined
}

/** What came of an action. */
export interface OutcomeInput {
  readonly postId: string
  readonly actionType: ActionType
  readonly tier: ActionTier
  /** Normally the one that an evaluation gave. */
  readonly idempotencyKey: string
  /** `running`, `success` or `failed`; the original takes any text, and so does this. */
  readonly status: string
  /** Anything JSON can hold; null unless given. */
  readonly outcome?: Json | undefined
  /** Why it failed; null unless given. */
  readonly errorCode?: string | null | undefined
  /** When; the clock's time unless given. */
  readonly now?: Time | undefined
}

/** The parts of a decision that the original has no notion of. */
const nothingElse = {
  ...noPast,
  timeZone: 'UTC',
  capabilities: everythingSupported,
} satisfies Partial<DecisionInput>

/**
 * Decides whether a comment, an edit or a thread should help a post now, and remembers in a JSON
 * file what came of it. It decides exactly as the original executor, its defects included; the one
 * difference is that a damaged history file is an error instead of an empty history.
 *
 * One executor owns its file: two on the same file overwrite each other, as with the original.
 */
export class SelfHealingExecutor {
  readonly #policy: Policy
  readonly #history: ActionHistory
  readonly #clock: Clock

  /**
   * Reads the history file. Throws an InputError for options that cannot be used, and a
   * HistoryFileError for a file that cannot.
   */
  constructor(options: SelfHealingExecutorOptions = {}) {
    const {
      config = {},
      persistencePath = defaultPersistencePath,
      clock = systemClock,
      ...unknown
    } = requireObject(options, 'options')
    const misspelt = Object.keys(unknown)[0]
    // Unnoticed, a misspelt path would let the executor work on another history.
    if (misspelt !== undefined)
      throw new InputError(misspelt, 'unknown option; correct its spelling')
    this.#policy = toPolicy(config)
    this.#clock = clock
    this.#history = new ActionHistory(new HistoryFile(requirePath(persistencePath)))
  }

  /** Evaluates how stalled a post is, and plans the one action that fits if it may be taken now. */
  evaluateAndPlan(
    postId: string,
    metrics: readonly PostMetricsPoint[],
    now?: Time,
  ): EvaluationResult {
    const id = requireWellFormed(postId, 'postId')
    const verdict = decide({
      ...nothingElse,
      post: { id, publishedAt: null, neverTouch: false },
      samples: toSamples(metrics),
      history: this.#history.actionsOf(id),
      foreignKeys: this.#history.foreignKeysOf(id),
      policy: this.#policy,
      now: now === undefined ? this.#clock.now() : toInstant(now, 'now'),
    })
    return toResult(id, verdict)
  }

  /** The key of an action on a post. Having no time in it, it succeeds once in a post's life. */
  generateIdempotencyKey(postId: string, actionType: ActionType, tier: ActionTier): string {
    const id = requireWellFormed(postId, 'postId')
    return actionKey(id, requireActionType(actionType), requireTier(tier))
  }

  /**
   * Records what came of an action and saves the file before it returns. A known key counts one
   * attempt more and takes the new status, outcome, error code and time; its post, action type and
   * tier stay. Where it throws, neither the file nor the history in memory has changed.
   */
  persistOutcome(input: OutcomeInput): ActionRecord {
    const { errorCode = null, now } = requireObject(input, 'input')
    const record = this.#history.persist({
      key: requireWellFormed(input.idempotencyKey, 'idempotencyKey'),
      postId: requireWellFormed(input.postId, 'postId'),
      action: requireActionType(input.actionType),
      tier: requireTier(input.tier),
      status: requireWellFormed(input.status, 'status'),
      outcomeText: outcomeText(input.outcome ?? null),
      errorCode: errorCode === null ? null : requireWellFormed(errorCode, 'errorCode'),
      initiatedAt:
        now === undefined ? instantToWireTime(this.#clock.now(), 'clock') : toWireTime(now, 'now'),
    })
    return toActionRecord(record)
  }

  /** Whether the key's record failed with a code that the original calls safe to replay. */
  shouldRetry(idempotencyKey: string): boolean {
    const record = this.#history.firstOf(requireWellFormed(idempotencyKey, 'idempotencyKey'))
    if (record === undefined || record.status !== 'failed') return false
    const { at, action } = record.past
    const capability = everythingSupported.actions[action]
    const decision = decideRetry({
      fault: toFault(record.errorCode),
      attempts: record.attempts,
      firstAttemptAt: at,
      writeClass: capability.supported ? capability.writeClass : 'C',
      policy: this.#policy,
      now: at,
      jitter: 0,
    })
    return decision.kind === 'retry'
  }
}

function requirePath(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) {
    throw new InputError('persistencePath', `${shown(value)} is not a path`)
  }
  return value
}
