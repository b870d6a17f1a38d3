/** Owns reading what an answer says about limits, in each of the forms that networks use. */

import { dayMs, secondMs } from '../../core/duration.ts'
import { parseInstant } from '../../core/instant.ts'
import type { Instant } from '../../core/instant.ts'
import type { GuardedResponse } from './guarded-response.ts'

/** How much of a limit is left. A number that was not given is null. */
export interface RateLimit {
  readonly limit: number | null
  readonly remaining: number | null
  readonly resetAt: Instant | null
}

/** In this order: where a network sends several, the standard's own is the one it maintains. */
const prefixes = ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-']

/** No window is longer than a month; a longer wait is a mistake or malice, and is cut to that. */
const longestWaitMs = 31 * dayMs

/** Numbers from here on are a time since 1970; smaller ones are seconds from now. */
const firstEpochSeconds = 1e9
const firstEpochMs = 1e12

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Null where the answer says nothing about it. */
export function rateLimitOf(response: GuardedResponse, now: Instant): RateLimit | null {
  const combined = response.header('ratelimit') ?? ''
  const limit = firstNumber(headerWith(response, 'limit')) ?? parameter(combined, 'limit')
  const remaining =
    firstNumber(headerWith(response, 'remaining')) ?? parameter(combined, 'r|remaining')
  const waitSeconds =
    firstNumber(headerWith(response, 'reset-after')) ?? parameter(combined, 't|reset')
  const resetAt =
    parseTime(headerWith(response, 'reset'), now) ??
    (waitSeconds === null ? null : bounded(now + waitSeconds * secondMs, now))
  if (limit === null && remaining === null && resetAt === null) return null
  return { limit, remaining, resetAt }
}

/** When to come back: what Retry-After says. */
export function retryAfterOf(response: GuardedResponse, now: Instant): Instant | null {
  return parseTime(response.header('retry-after'), now)
}

/** Seconds, an HTTP date or an ISO time; never before now. */
function parseTime(text: string | null, now: Instant): Instant | null {
  if (text === null) return null
  const trimmed = text.trim()
  if (/^\d+(\.\d+)?$/.test(trimmed)) return bounded(numericTime(Number(trimmed), now), now)
  if (httpDate.test(trimmed)) {
    const at = Date.parse(trimmed)
    return Number.isNaN(at) ? null : bounded(at, now)
  }
  try {
    return bounded(parseInstant(trimmed, 'reset'), now)
  } catch {
    return null
  }
}

function numericTime(value: number, now: Instant): Instant {
  if (value >= firstEpochMs) return value
  return value >= firstEpochSeconds ? value * secondMs : now + value * secondMs
}

function bounded(at: Instant, now: Instant): Instant {
  return Math.min(Math.max(at, now), now + longestWaitMs)
}

function headerWith(response: GuardedResponse, suffix: string): string | null {
  for (const prefix of prefixes) {
    const value = response.header(`${prefix}${suffix}`)
    if (value !== null) return value
  }
  return null
}

/** The standard lets more follow a number: `100, 100;w=60`. */
function firstNumber(text: string | null): number | null {
  const digits = /^\s*(\d{1,15}(?:\.\d+)?)\s*(?:[,;]|$)/.exec(text ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}

/** One parameter of the standard's combined header: `"default";r=50;t=30`. */
function parameter(text: string, names: string): number | null {
  const digits = new RegExp(`(?:^|[;,\\s])(?:${names})=(\\d{1,15})`).exec(text)?.[1]
  return digits === undefined ? null : Number(digits)
}
