/** Tests what follows a failed attempt: it depends on whether it landed, not on its name (I6). */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { now } from '../../test/builders/decision.ts'
import { hourMs, minuteMs, secondMs } from './duration.ts'
import { faultCodes } from './fault.ts'
import type { Fault } from './fault.ts'
import { classicPolicy } from './policies/classic.ts'
import { standardPolicy } from './policies/standard.ts'
import { decideRetry } from './retry.ts'
import type { RetryInput } from './retry.ts'

type Changes = Partial<Omit<RetryInput, 'fault'>> & { readonly fault?: Partial<Fault> }

function retryInput({ fault, ...changes }: Changes): RetryInput {
  return {
    fault: {
      landed: 'no',
      code: 'rate_limit',
      scope: 'request',
      retryAt: null,
      detail: '',
      ...fault,
    },
    attempts: 1,
    firstAttemptAt: now,
    writeClass: 'B',
    policy: standardPolicy,
    now,
    jitter: 1,
    ...changes,
  }
}

const after = (changes: Changes) => decideRetry(retryInput(changes))
const retryIn = (delayMs: number) => ({ kind: 'retry', at: now + delayMs })
const final = { kind: 'stop', reason: 'final' }
const reconcile = { kind: 'reconcile' }

const transient = new Set([
  'timeout',
  'rate_limit',
  'service_unavailable',
  'network_error',
  'bad_answer',
])

describe('what did not land', () => {
  it.each(faultCodes)('is tried again after %s only if that may pass by itself', (code) => {
    for (const writeClass of ['A', 'B', 'C'] as const) {
      const decision = after({ fault: { code }, writeClass })
      expect(decision).toEqual(transient.has(code) ? retryIn(30 * secondMs) : final)
    }
  })

  it.each([
    [1, 1, 30 * secondMs],
    [2, 1, minuteMs],
    [3, 1, 2 * minuteMs],
    [4, 1, 4 * minuteMs],
    [4, 0.5, 2 * minuteMs],
    [4, 0, 0],
    [1, 0.123456, 3704],
  ])('waits after attempt %i with jitter %d', (attempts, jitter, delayMs) => {
    expect(after({ attempts, jitter })).toEqual(retryIn(delayMs))
  })

  it('never waits longer than the longest delay', () => {
    const retry = { ...standardPolicy.retry, maximumAttempts: null }
    const policy = { ...standardPolicy, retry }
    expect(after({ attempts: 8, policy })).toEqual(retryIn(30 * minuteMs))
    expect(after({ attempts: 5000, policy })).toEqual(retryIn(30 * minuteMs))
  })

  it('stops when the attempts are used up', () => {
    expect(after({ attempts: 4 }).kind).toBe('retry')
    expect(after({ attempts: 5 })).toEqual({ kind: 'stop', reason: 'attempts_used_up' })
    expect(after({ attempts: 6 })).toEqual({ kind: 'stop', reason: 'attempts_used_up' })
  })

  it('stops when the next attempt would come after the budget', () => {
    const delayMs = 30 * secondMs
    const first = (beforeMs: number) => ({ firstAttemptAt: now - beforeMs })
    expect(after(first(6 * hourMs - delayMs))).toEqual(retryIn(delayMs))
    expect(after(first(6 * hourMs - delayMs + 1))).toEqual({
      kind: 'stop',
      reason: 'budget_used_up',
    })
  })

  it.each([
    ['earlier than the delay', 10 * secondMs, 30 * secondMs],
    ['later than the delay', minuteMs, minuteMs],
    ['in the past', -hourMs, 30 * secondMs],
  ])('obeys a Retry-After %s', (_, retryAfterMs, delayMs) => {
    expect(after({ fault: { retryAt: now + retryAfterMs } })).toEqual(retryIn(delayMs))
  })

  it('stops where Retry-After lies after the budget', () => {
    expect(after({ fault: { retryAt: now + 7 * hourMs } })).toMatchObject({ kind: 'stop' })
  })
})

describe('what may have landed', () => {
  it.each(faultCodes)('is sent again after %s only where the network deduplicates', (code) => {
    const fault = { landed: 'unknown', code } as const
    expect(after({ fault, writeClass: 'A' })).toEqual(retryIn(30 * secondMs))
    expect(after({ fault, writeClass: 'B' })).toEqual(reconcile)
    expect(after({ fault, writeClass: 'C' })).toEqual(reconcile)
  })

  it('is read back where no attempt is left, because stopping would call it failed', () => {
    const fault = { landed: 'unknown', code: 'timeout' } as const
    expect(after({ fault, writeClass: 'A', attempts: 5 })).toEqual(reconcile)
    const firstAttemptAt = now - 7 * hourMs
    expect(after({ fault, writeClass: 'A', firstAttemptAt })).toEqual(reconcile)
  })
})

describe('classic', () => {
  const classic = { policy: classicPolicy, writeClass: 'C' } as const
  const safe = new Set(['timeout', 'rate_limit', 'service_unavailable', 'network_error'])

  it.each(faultCodes)('goes by the code %s alone', (code) => {
    for (const landed of ['no', 'unknown'] as const) {
      const decision = after({ ...classic, fault: { landed, code } })
      expect(decision).toEqual(safe.has(code) ? retryIn(0) : final)
    }
  })

  it.each([1, 1000, 1025, 100_000])('is still ready at once after %i attempts', (attempts) => {
    expect(after({ ...classic, attempts, firstAttemptAt: 0 })).toEqual(retryIn(0))
  })
})

describe('for any fault', () => {
  const inputs = fc
    .record({
      landed: fc.constantFrom('no', 'unknown'),
      code: fc.constantFrom(...faultCodes),
      retryAt: fc.option(fc.integer({ min: now - hourMs, max: now + 8 * hourMs })),
      attempts: fc.integer({ min: 1, max: 12 }),
      firstAttemptAt: fc.integer({ min: now - 8 * hourMs, max: now }),
      writeClass: fc.constantFrom('A', 'B', 'C'),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ landed, code, retryAt, ...rest }) =>
      retryInput({ ...rest, fault: { landed, code, retryAt } }),
    )

  it('an unknown is never sent again where the network does not deduplicate', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        fc.pre(input.fault.landed === 'unknown' && input.writeClass !== 'A')
        expect(decideRetry(input)).toEqual(reconcile)
      }),
    )
  })

  it('an unknown is never called failed', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        fc.pre(input.fault.landed === 'unknown')
        expect(decideRetry(input).kind).not.toBe('stop')
      }),
    )
  })

  it('a retry keeps within attempts, delay, budget and what the platform asked for', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const decision = decideRetry(input)
        fc.pre(decision.kind === 'retry')
        expect(input.attempts).toBeLessThan(standardPolicy.retry.maximumAttempts ?? Infinity)
        const asked = input.fault.retryAt ?? -Infinity
        expect(decision.at).toBeGreaterThanOrEqual(Math.max(now, asked))
        expect(decision.at).toBeLessThanOrEqual(Math.max(now + 30 * minuteMs, asked))
        expect(decision.at).toBeLessThanOrEqual(input.firstAttemptAt + 6 * hourMs)
        expect(decision.at).toBe(Math.round(decision.at))
      }),
    )
  })
})
