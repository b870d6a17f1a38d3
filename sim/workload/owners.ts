/** What the owners of the accounts, their readers and the networks' staff do by themselves. */

import { dayMs, hourMs, minuteMs } from '../../src/core/duration.ts'
import type { AccountId } from '../../src/core/ids.ts'
import type { Ledger, PostRow } from '../../src/ledger/index.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'
import type { VirtualTime } from '../clock/virtual-time.ts'
import type { Network } from '../installation/network.ts'
import type { AccountPlan } from '../installation/networks.ts'
import type { Activities } from './activities.ts'

export interface Owner {
  readonly accountId: AccountId
  readonly plan: AccountPlan
  readonly network: Network
}

export interface OwnersOptions {
  readonly owners: readonly Owner[]
  readonly ledger: Ledger
  readonly time: VirtualTime
  readonly activities: Activities
  readonly stream: Stream
}

export function beginOwners(options: OwnersOptions): void {
  for (const owner of options.owners) publishNow(options, owner)
}

/** Posts go out on the half hour, as scheduled posts do; then readings fall together as well. */
const slotMs = 30 * minuteMs

function publishNow(options: OwnersOptions, owner: Owner): void {
  const { time, stream, activities } = options
  const pauseMs = stream.between(0.1, 1.9) * owner.plan.daysBetween * dayMs
  const at = Math.ceil((time.now + pauseMs) / slotMs) * slotMs
  activities.surelyAfter(at - time.now, async () => {
    // Often there is more to say at once.
    const count = stream.chance(0.4) ? 1 : Math.ceil(stream.between(1, 4))
    for (let post = 0; post < count && !activities.resting; post += 1) {
      await publish(options, owner)
    }
    publishNow(options, owner)
  })
}

async function publish(options: OwnersOptions, owner: Owner): Promise<void> {
  const { ledger, stream } = options
  const { network, plan, accountId } = owner
  const number = network.truth.posts().length + 1
  const remoteId = network.world.publish(plan.handle, {
    text: `Post ${number} of ${plan.handle}. It has something to say.`,
    audience: stream.chance(0.8) ? 'public' : 'followers',
  })
  // Whoever schedules posts with this tool has it look at once.
  if (stream.chance(0.97)) await ledger.setDiscoverAt(accountId, await ledger.now())
  liveWith(options, owner, remoteId)
}

/** What happens to a post in its first hours. */
function liveWith(options: OwnersOptions, owner: Owner, remoteId: string): void {
  const { stream, activities } = options
  const { world } = owner.network
  const perhaps = (odds: number, fromMs: number, act: () => void | Promise<void>) => {
    const happens = stream.chance(odds)
    const laterMs = stream.between(fromMs, 9 * hourMs)
    if (happens) activities.after(laterMs, act)
  }
  perhaps(0.06, hourMs, () => editByHand(owner, remoteId, stream))
  perhaps(0.05, 30 * minuteMs, () => world.remove(remoteId))
  perhaps(0.1, 10 * minuteMs, () => void world.replyByHand(remoteId, 'I forgot to say'))
  perhaps(0.05, 40 * minuteMs, () => removeOurReply(owner, remoteId))
  perhaps(0.2, 30 * minuteMs, () => {
    world.react(remoteId, 'likes', Math.ceil(stream.between(20, 1000)))
  })
  perhaps(0.02, 30 * minuteMs, () => world.restrict(remoteId, true))
  perhaps(0.05, 20 * minuteMs, () => protect(options, owner, remoteId))
}

function editByHand({ network }: Owner, remoteId: string, stream: Stream): void {
  const post = network.truth.post(remoteId)
  if (post === null || post.deletedAt !== null) return
  network.world.editByHand(
    remoteId,
    `${post.text.slice(0, 80)} [${Math.ceil(stream.between(1, 99))}]`,
  )
}

/** The owner does not like what was said. */
function removeOurReply({ network }: Owner, remoteId: string): void {
  const ours = network.truth.repliesTo(remoteId).find(({ effect }) => effect.by === 'connector')
  if (ours !== undefined) network.world.remove(ours.remoteId)
}

/** The owner says never to touch it, and may think better of it. */
async function protect(options: OwnersOptions, owner: Owner, remoteId: string): Promise<void> {
  const { ledger, stream, activities } = options
  const post = await findPost(ledger, owner, remoteId)
  if (post === undefined) return
  await ledger.setNeverTouch(post.id, true)
  if (!stream.chance(0.5)) return
  activities.after(stream.between(10 * minuteMs, 3 * hourMs), async () => {
    await ledger.setNeverTouch(post.id, false)
  })
}

async function findPost(
  ledger: Ledger,
  { accountId }: Owner,
  remoteId: string,
): Promise<PostRow | undefined> {
  const page = { after: null, limit: 1000 }
  const posts = await ledger.listPosts({ accountId, status: 'watched' }, page)
  return posts.find((post) => post.remoteId === remoteId)
}
