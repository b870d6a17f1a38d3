/** Owns turning what callers hand in into the core's words, and the core's verdicts into theirs. */

import { actions, isAction, isTier, tiers } from '../core/action.ts'
import { isFaultCode } from '../core/fault.ts'
import type { Fault } from '../core/fault.ts'
import { InputError, shown } from '../core/input-error.ts'
import { isInstant, requireInstant, toInstant } from '../core/instant.ts'
import { isCount, requireCount } from '../core/sample.ts'
import type { Sample } from '../core/sample.ts'
import type { HoldReason, Verdict } from '../core/verdict.ts'
import type {
  ActionTier,
  ActionType,
  EvaluationResult,
  PostMetricsPoint,
  RefusalReason,
} from './wire.ts'

export function requireObject<Value extends object>(value: Value, field: string): Value {
  if (typeof value === 'object' && value !== null) return value
  throw new InputError(field, `${shown(value)} is not an object`)
}

export function requireActionType(value: unknown): ActionType {
  if (isAction(value)) return value
  throw new InputError('actionType', `${shown(value)} is not one of ${actions.join(', ')}`)
}

export function requireTier(value: unknown): ActionTier {
  if (isTier(value)) return value
  throw new InputError('tier', `${shown(value)} is not one of ${tiers.join(', ')}`)
}

export function toSamples(metrics: unknown): readonly Sample[] {
  if (!Array.isArray(metrics)) throw new InputError('metrics', 'is not an array')
  const samples: Sample[] = []
  for (let index = 0; index < metrics.length; index += 1) {
    samples.push(toSample(metrics[index] as PostMetricsPoint, index))
  }
  return samples
}

function toSample(point: PostMetricsPoint, index: number): Sample {
  // Names are built only where they may be needed: this runs for every point of every evaluation.
  if (typeof point !== 'object' || point === null) requireObject(point, `metrics[${index}]`)
  const { timestamp, impressions, engagements } = point
  if (timestamp instanceof Date && isCount(impressions) && isCount(engagements)) {
    const at = timestamp.getTime()
    if (isInstant(at)) return { at, impressions, engagements }
  }
  const field = `metrics[${index}]`
  return {
    at: requireInstant(toInstant(timestamp, `${field}.timestamp`), `${field}.timestamp`),
    impressions: requireCount(impressions, `${field}.impressions`),
    engagements: requireCount(engagements, `${field}.engagements`),
  }
}

/** An error code as the core classifies it. One it does not know is never transient. */
export function toFault(errorCode: string | null): Fault {
  return {
    landed: 'unknown',
    code: isFaultCode(errorCode) ? errorCode : 'other',
    scope: 'request',
    retryAt: null,
    detail: errorCode ?? '',
  }
}

const refusals: Readonly<Partial<Record<HoldReason, RefusalReason>>> = {
  duplicate: 'duplicate_action',
  window_frequency: 'window_frequency_exceeded',
  action_cooldown: 'action_cooldown_active',
}

export function toResult(postId: string, verdict: Verdict): EvaluationResult {
  if (verdict.kind === 'plan') {
    return {
      post_id: postId,
      eligible: true,
      stagnation_score: verdict.score,
      tier: verdict.tier,
      action_type: verdict.action,
      idempotency_key: verdict.key,
    }
  }
  if (verdict.kind === 'insufficient' && verdict.lack.reason === 'insufficient_samples') {
    const { reason, count } = verdict.lack
    return { post_id: postId, eligible: false, reason, sample_count: count }
  }
  const reason = verdict.kind === 'hold' ? refusals[verdict.reason] : undefined
  const { key } = verdict.trace
  if (reason === undefined || key === null) {
    throw new Error(`the classic policy has no verdict like ${verdict.kind}`)
  }
  return { post_id: postId, eligible: false, reason, idempotency_key: key }
}
