/** Decides from the seed alone who posts what and when, in the past and in the days ahead. */

import { dayMs, hourMs } from '../core/duration.ts'
import type { Instant } from '../core/instant.ts'
import { seededRandom } from '../platform/simulated/index.ts'
import type { NewPost } from '../platform/simulated/index.ts'
import { cast, textOf } from './cast.ts'
import type { Persona } from './cast.ts'

/** For how long the past goes back; closed posts come from it. */
export const pastMs = 46 * dayMs
/** Nobody leaves a demo running for longer; then the network falls silent. */
const aheadMs = 30 * dayMs
/** Each persona posts about so often. */
const everyMs = 7.5 * hourMs
/** Right before now all post more, so that there is something to see. */
const busyMs = 26 * hourMs
const busyEveryMs = 2 * hourMs
/** More posts stall here than in real life, as nobody wants to wait for one. */
const stalledShare = 0.45
const busyStalledShare = 0.65

export interface Planned {
  readonly persona: Persona
  readonly at: Instant
  readonly post: NewPost
}

/** The oldest first. */
export function planPosts(seed: string, now: Instant): readonly Planned[] {
  return cast.flatMap((persona) => planPersona(seed, persona, now)).sort((a, b) => a.at - b.at)
}

function planPersona(seed: string, persona: Persona, now: Instant): readonly Planned[] {
  const stream = seededRandom(`${seed}:${persona.handle}`)
  const planned: Planned[] = []
  for (let at = now - pastMs; at < now + aheadMs;) {
    const isBusy = at > now - busyMs && at < now
    at += stream.between(0.6, 1.4) * (isBusy ? busyEveryMs : everyMs)
    const text = textOf(persona, planned.length)
    const isStalled = stream.fraction() < (isBusy ? busyStalledShare : stalledShare)
    const post = { at: Math.floor(at), text, kind: isStalled ? 'stalled' : 'usual' } as const
    planned.push({ persona, at: post.at, post })
  }
  return planned
}
