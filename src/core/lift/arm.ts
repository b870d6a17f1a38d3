/**
 * Owns the draw that decides which posts are left alone. It depends on nothing but the names of
 * things, so every process draws the same, and nobody can choose:
 *
 *   u = sha256(salt:post:policy) / 2^256,   held out if u < share
 */

import { hash } from 'node:crypto'
import type { Arm } from '../decision-input.ts'
import { InputError, shown } from '../input-error.ts'

/** Below this share too few posts are held out to tell lift from luck. */
export const smallestHoldout = 0.2
/** Above it hardly anything is done, and what is done weighs too much in the estimate. */
export const largestHoldout = 0.8

export interface Draw {
  readonly arm: Arm
  /** u, at least 0 and below 1. */
  readonly draw: number
  /** How likely the post was to be acted on; 1 where nothing is held out, hence not measured. */
  readonly propensity: number
}

export interface DrawInput {
  /** The installation's own, so that nobody outside can tell the arm of a post. */
  readonly salt: string
  readonly postId: string
  /** As `name@version`: another version is another experiment. */
  readonly policy: string
  /** The share of posts to hold out: 0, or from 0.2 to 0.8. */
  readonly holdoutShare: number
}

export function drawArm({ salt, postId, policy, holdoutShare }: DrawInput): Draw {
  requireShare(holdoutShare)
  const draw = drawFrom(`${salt}:${postId}:${policy}`)
  return { arm: draw < holdoutShare ? 'holdout' : 'act', draw, propensity: 1 - holdoutShare }
}

/** A number from 0 to below 1 that is the same for the same name, and even over many names. */
export function drawFrom(name: string): number {
  // The first 52 of 256 bits are as many as a number holds exactly.
  return Number.parseInt(hash('sha256', name, 'hex').slice(0, 13), 16) / 2 ** 52
}

function requireShare(share: number): void {
  if (share === 0 || (share >= smallestHoldout && share <= largestHoldout)) return
  throw new InputError(
    'holdoutShare',
    `${shown(share)} is neither 0, which measures nothing, ` +
      `nor from ${smallestHoldout} to ${largestHoldout}`,
  )
}
