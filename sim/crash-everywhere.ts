/**
 * Dies at every single moment at which a process waits for something, once before and once after
 * what it waits for has happened, in short stories that lead through every kind of write. Each time
 * a new process takes over, and every promise must still hold.
 */

import { hourMs, minuteMs } from '../src/core/duration.ts'
import { toActionId } from '../src/core/ids.ts'
import { profiles } from '../src/platform/simulated/index.ts'
import type { FaultDecision, Profile } from '../src/platform/simulated/index.ts'
import type { Violation } from './auditor/scene.ts'
import type { CrashPoint } from './fleet/lifeline.ts'
import type { AccountPlan } from './installation/networks.ts'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

export interface Story {
  readonly name: string
  readonly seed: string
  readonly profile: Profile
  readonly policy: string
  readonly mode: AccountPlan['mode']
  /** What the first writes meet on their way. */
  readonly faults: readonly FaultDecision[]
  /** Whether a person takes the first action back. */
  readonly undoes: boolean
}

const lostAnswer: FaultDecision = { kind: 'lost_answer' }
const lostRequest: FaultDecision = { kind: 'lost_request' }
const fine: FaultDecision = { kind: 'none' }

export const stories: readonly Story[] = [
  {
    name: 'a thread on a network that recognises repeats for a while',
    seed: 'd',
    profile: profiles.mastodon,
    policy: 'early@1',
    mode: 'auto',
    faults: [fine, lostAnswer, lostRequest],
    undoes: false,
  },
  {
    name: 'a thread on a network that can only be read back',
    seed: 'd',
    profile: profiles.full,
    policy: 'early@1',
    mode: 'auto',
    faults: [fine, lostAnswer],
    undoes: true,
  },
  {
    name: 'an approved thread that goes out in one call',
    seed: 'd',
    profile: profiles.bluesky,
    policy: 'early@1',
    mode: 'approve',
    faults: [lostRequest],
    undoes: true,
  },
  {
    name: 'comments on a network that cannot be read back',
    seed: 'd',
    profile: profiles.telegram,
    policy: 'blunt@1',
    mode: 'auto',
    faults: [fine, lostRequest],
    undoes: false,
  },
  {
    name: 'edits that give the post another id',
    seed: 'd',
    profile: profiles.x,
    policy: 'early@1',
    mode: 'auto',
    faults: [lostAnswer],
    undoes: false,
  },
]

export interface StoryResult {
  /** For how many things the first process waited. */
  readonly awaits: number
  readonly sends: number
  readonly violations: readonly Violation[]
}

/** At night nothing is sent. */
const morningMs = 9 * hourMs
/** Nothing happens in a story after this. */
const storyMs = 4 * hourMs
/** Then all that is open must resolve. */
const calmMs = 28 * hourMs

export async function tell(story: Story, firstCrash?: CrashPoint): Promise<StoryResult> {
  const { profile, policy, mode } = story
  const account = { handle: 'ann', policy, mode, timeZone: 'UTC', holdoutShare: 0, daysBetween: 1 }
  const shown = { ...profile, description: { ...profile.description, hasImpressions: true } }
  const world = await createWorld({
    seed: story.seed,
    installation: [{ profile: shown, accounts: [account] }],
    steady: true,
    ...(firstCrash === undefined ? {} : { firstCrash }),
  })
  const { time, fleet, auditor, networks, ledgerFaults } = world
  await time.runUntil(time.now + morningMs)
  ledgerFaults.calm = true
  for (const { faults, world: people } of networks.values()) {
    faults.calm = true
    faults.nextWrites.push(...story.faults)
    people.publish('ann', { text: 'Nobody cares about this.', kind: 'stalled', total: 300 })
  }
  schedulePeople(world, story)
  fleet.setTarget(1)
  const [first] = fleet.running
  await time.runUntil(time.now + storyMs)
  const awaits = first?.lifeline.awaits ?? 0
  await time.runUntil(time.now + calmMs)
  auditor.afterCalm()
  auditor.atEnd()
  const attempts = [...world.store.rows.actions.values()].map((row) => row.attempts)
  const sends = attempts.reduce((sum, count) => sum + count, 0)
  return { awaits, sends, violations: auditor.violations }
}

/** People come by at fixed times, whatever the processes do. */
function schedulePeople({ time, ledger }: World, { undoes }: Story): void {
  const page = { after: null, limit: 100 }
  const approveAll = async () => {
    for (const row of await ledger.listActions({ states: ['awaiting_approval'] }, page)) {
      const terms = { textHash: row.textHash, graceMs: minuteMs, expiresAfterMs: hourMs }
      const decision = { kind: 'approve', ...terms } as const
      await ledger.decide({ actionId: row.id, by: 'ann', decision })
    }
  }
  const undoFirst = async () => {
    const [row] = await ledger.listActions({ states: ['success'] }, page)
    if (row === undefined) return
    const actionId = toActionId('undo')
    await ledger.planUndo({ actionId, postId: row.postId, undoes: row.id })
  }
  for (const minutes of [25, 45, 65, 85, 105, 125]) {
    time.after(minutes * minuteMs, () => void approveAll())
  }
  if (undoes) time.after(150 * minuteMs, () => void undoFirst())
}

export interface CrashReport {
  readonly story: Story
  readonly crashes: number
  readonly failed: readonly { readonly at: CrashPoint; readonly violations: readonly Violation[] }[]
}

export async function crashEverywhere(story: Story): Promise<CrashReport> {
  const { awaits } = await tell(story)
  const failed = []
  let crashes = 0
  for (let number = 1; number <= awaits; number += 1) {
    for (const when of ['before', 'after'] as const) {
      const at = { await: number, when }
      const { violations } = await tell(story, at)
      crashes += 1
      if (violations.length > 0) failed.push({ at, violations })
    }
  }
  return { story, crashes, failed }
}
