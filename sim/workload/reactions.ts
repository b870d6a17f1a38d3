/**
 * What people do in answer to something they have just seen happen. Left to chance alone they would
 * hardly ever step into the seconds between a plan, its claim and its send, where it matters most.
 */

import { minuteMs, secondMs } from '../../src/core/duration.ts'
import type { LedgerEvent } from '../../src/core/events.ts'
import type { PostId } from '../../src/core/ids.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'
import type { VirtualTime } from '../clock/virtual-time.ts'
import { changeMode, changePolicy, disturbClock, pauseSomething } from './operators.ts'
import type { OperatorsOptions } from './operators.ts'

export interface ReactionsOptions extends OperatorsOptions {
  readonly time: VirtualTime
}

/** Returns the listener to be told of every event. */
export function reactTo(options: ReactionsOptions): (event: LedgerEvent) => void {
  const { stream, activities } = options
  return (event) => {
    // While one process is in the middle of a send, others come up.
    if (event.type === 'attempt_begun' && stream.chance(0.2)) {
      activities.after(secondMs, () => addProcesses(options))
    }
    const odds = oddsOf(event)
    if (odds === 0 || !stream.chance(odds)) return
    const act = chooseReaction(options, event, stream)
    // Some are quicker than the engine.
    activities.after(stream.between(0, stream.chance(0.5) ? secondMs : 40 * secondMs), act)
  }
}

function oddsOf(event: LedgerEvent): number {
  switch (event.type) {
    case 'action_planned':
      return 0.06
    case 'attempt_begun':
      return 0.03
    case 'action_changed':
      if (event.data.to === 'waiting' || event.data.to === 'unknown') return 0.15
      return event.data.to === 'approved' || event.data.to === 'running' ? 0.05 : 0
    default:
      return 0
  }
}

function chooseReaction(
  options: ReactionsOptions,
  { accountId, postId, actionId }: LedgerEvent,
  stream: Stream,
): () => void | Promise<void> {
  const { ledger, owners, time } = options
  const of = accountId ?? undefined
  const network = owners.find((owner) => owner.accountId === accountId)?.network
  const place = stream.fraction()
  if (place < 0.2) return () => changeMode(options, of)
  if (place < 0.45) return () => pauseSomething(options, of)
  if (place < 0.55) return () => changePolicy(options, of)
  if (place < 0.62 && postId !== null) {
    return async () => {
      await ledger.setNeverTouch(postId, true)
    }
  }
  if (place < 0.75 && actionId !== null) {
    return async () => {
      const decision = { kind: 'cancel', reason: 'stop it' } as const
      await ledger.decide({ actionId, by: 'a person', decision })
    }
  }
  if (place < 0.81) return () => network?.faults.beginOutage(time.now)
  if (place < 0.85) return () => network?.faults.beginBlindness(time.now)
  if (place < 0.97 && postId !== null) return () => praise(options, postId, stream)
  return () => disturbClock(options)
}

/** Someone starts more processes, for a while. */
function addProcesses({ fleet, activities, stream }: ReactionsOptions): void {
  fleet.setTarget(stream.chance(0.5) ? 2 : 3)
  activities.surelyAfter(stream.between(3 * minuteMs, 12 * minuteMs), () => fleet.setTarget(1))
}

/** All of a sudden everybody likes the post. */
async function praise({ ledger, owners }: ReactionsOptions, postId: PostId, stream: Stream) {
  const post = await ledger.getPost(postId)
  const owner = owners.find(({ accountId }) => accountId === post?.accountId)
  if (post === null || owner === undefined) return
  owner.network.world.react(post.remoteId, 'likes', Math.ceil(stream.between(100, 3000)))
}
