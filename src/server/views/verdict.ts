/** Owns how a verdict is told: with the sentence and the checklist that every surface shows. */

import { z } from 'zod'
import type { ActionKey } from '../../core/ids.ts'
import { explain } from '../../core/explain.ts'
import { describeGuard } from '../../core/guards/guards.ts'
import type { GuardReport } from '../../core/guards/guards.ts'
import type { Policy } from '../../core/policy.ts'
import type { HoldReason, Lack, Trace, Verdict } from '../../core/verdict.ts'
import { formatUntil } from '../../core/wording.ts'
import type { VerdictRow } from '../../ledger/rows.ts'
import type { NextPossible } from '../schema/post.ts'
import type { GuardView, LatestVerdict, VerdictView } from '../schema/verdict.ts'
import type { LatestVerdict as LatestRow } from '../../ledger/pages.ts'
import { iso, toUntilView } from './time.ts'

/** What a stored trace has to be to be put into words; an erased one is not. */
const traceShape = z.looseObject({
  evidence: z.looseObject({ used: z.number(), windowMs: z.number() }),
  guards: z.array(z.looseObject({ guard: z.string(), kind: z.string(), facts: z.unknown() })),
})

export function traceOf({ trace }: Pick<VerdictRow, 'trace'>): Trace | null {
  return traceShape.safeParse(trace).success ? (trace as unknown as Trace) : null
}

const unknownNumbers = 'Its numbers are not kept any more.'

export function toVerdictView(row: VerdictRow, policy: Policy | null): VerdictView {
  const trace = traceOf(row)
  const verdict = trace === null ? null : rebuild(row, trace, policy)
  return {
    postId: row.postId,
    kind: row.kind,
    reason: row.reason,
    score: row.score,
    stalled: row.stalled,
    tier: row.tier,
    until: row.until === null ? null : toUntilView(row.until),
    policy: row.policy,
    at: iso(row.at),
    evaluatedAt: iso(row.evaluatedAt),
    sentence: verdict === null ? unknownNumbers : explainStored(verdict),
    guards: trace === null ? [] : trace.guards.map(toGuardView),
    trace: row.trace,
  }
}

/** It may have been stored by another version of the program, whose traces had other numbers. */
function explainStored(verdict: Verdict): string {
  try {
    return explain(verdict)
  } catch (error) {
    if (error instanceof TypeError) return unknownNumbers
    throw error
  }
}

/** A verdict that was just reached and is not stored. */
export function toFreshVerdictView(verdict: Verdict): VerdictView {
  const { trace } = verdict
  const isStalled = verdict.kind === 'plan' || verdict.kind === 'hold'
  return {
    postId: trace.postId,
    kind: verdict.kind,
    reason: reasonOf(verdict),
    score: verdict.kind === 'insufficient' ? null : verdict.score,
    stalled: isStalled,
    tier: isStalled ? verdict.tier : null,
    until: verdict.kind === 'hold' ? toUntilView(verdict.until) : null,
    policy: trace.policy,
    at: iso(trace.evidence.lastAt ?? trace.now),
    evaluatedAt: iso(trace.now),
    sentence: explain(verdict),
    guards: trace.guards.map(toGuardView),
    trace,
  }
}

function reasonOf(verdict: Verdict): string | null {
  if (verdict.kind === 'hold') return verdict.reason
  return verdict.kind === 'insufficient' ? verdict.lack.reason : null
}

export function toLatestView(latest: LatestRow): LatestVerdict {
  const { kind, reason, score, tier, until, evaluatedAt } = latest
  return {
    kind,
    reason,
    score,
    tier,
    until: until === null ? null : toUntilView(until),
    evaluatedAt: iso(evaluatedAt),
  }
}

export function toGuardView(report: GuardReport): GuardView {
  return {
    guard: report.guard,
    kind: report.kind,
    sentence: describeGuard(report),
    until: report.kind === 'hold' ? toUntilView(report.until) : null,
  }
}

/** "Did nothing because …": only where a post has stalled and something stands in the way. */
export function toNextPossible(row: VerdictRow | undefined): NextPossible | null {
  if (row === undefined || row.kind !== 'hold' || row.until === null) return null
  const report = traceOf(row)?.guards.find(({ guard }) => guard === row.reason)
  const why = report === undefined ? (row.reason ?? 'something') : describeGuard(report)
  const name = row.reason ?? 'a guard'
  const sentence = `Did nothing because of ${name}: ${why}; ${formatUntil(row.until)}.`
  return { until: toUntilView(row.until), sentence }
}

/** The row holds all but what was missing, which follows from its trace and its policy. */
function rebuild(row: VerdictRow, trace: Trace, policy: Policy | null): Verdict | null {
  switch (row.kind) {
    case 'healthy':
      return row.score === null ? null : { kind: 'healthy', score: row.score, trace }
    case 'plan': {
      const action = trace.action?.action ?? null
      if (row.score === null || row.tier === null || action === null) return null
      const { tier, score } = row
      const key = (trace.key ?? '') as ActionKey
      return { kind: 'plan', action, tier, key, generation: trace.generation ?? 0, score, trace }
    }
    case 'hold': {
      if (row.score === null || row.tier === null || row.until === null) return null
      const { tier, score, until } = row
      const reason = (row.reason ?? '') as HoldReason
      const isKnown =
        ['confirming', 'no_supported_action', 'nothing_to_say'].includes(reason) ||
        trace.guards.some(({ guard }) => guard === reason)
      return isKnown ? { kind: 'hold', reason, until, score, tier, trace } : null
    }
    case 'insufficient': {
      const lack = lackOf(row.reason, trace, policy)
      return lack === null ? null : { kind: 'insufficient', lack, trace }
    }
  }
}

function lackOf(reason: string | null, trace: Trace, policy: Policy | null): Lack | null {
  const { signal, evidence, now } = trace
  if (signal?.kind === 'no_signal') return signal
  const { used, minimumSamples, firstAt, lastAt } = evidence
  switch (reason) {
    case 'insufficient_samples':
      return { reason, count: used, minimum: minimumSamples }
    case 'stale_samples': {
      const maximumMs = policy?.evidence.maximumStalenessMs ?? null
      if (lastAt === null || maximumMs === null) return null
      return { reason, ageMs: now - lastAt, maximumMs }
    }
    case 'short_span': {
      if (lastAt === null || firstAt === null || policy === null) return null
      return { reason, spanMs: lastAt - firstAt, minimumMs: policy.evidence.minimumSpanMs }
    }
    default:
      return null
  }
}
