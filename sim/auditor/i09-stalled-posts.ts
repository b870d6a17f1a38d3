/**
 * I9: a post that is healthy, or about which too little is known, is left alone. At each claim the
 * readings that the ledger has are judged here once more, by a plain reckoning of their rate.
 */

import type { Policy } from '../../src/core/policy.ts'
import type { Sample } from '../../src/core/sample.ts'
import type { ActionRow } from '../../src/ledger/index.ts'
import { accountOf, actionOf, isClaim, policyOf } from './scene.ts'
import type { Check, Scene } from './scene.ts'

export function checkStalledPosts(scene: Scene): Check {
  return {
    onEvent(event) {
      if (event.type === 'attempt_begun') checkAllowed(scene, actionOf(scene, event))
      if (!isClaim(event)) return
      const row = actionOf(scene, event)
      if (row.undoes !== null || isPartlyOut(scene, row)) return
      const policy = policyOf(scene, accountOf(scene, row))
      const samples = scene.rows.samples.get(row.postId) ?? []
      const judgement = judge(samples, policy, event.at)
      if (judgement !== 'stalled') scene.suspect('I9', `its post was ${judgement}`, row)
    },
  }
}

/** The owner's word that a post is to be left alone holds for each send. */
function checkAllowed(scene: Scene, row: ActionRow): void {
  const post = scene.rows.posts.get(row.postId)
  if (row.undoes !== null || post?.neverTouch !== true) return
  scene.report('I9', 'its post must never be touched', row)
}

/** What is out already, or may be, is finished whatever the post does meanwhile. */
function isPartlyOut({ rows }: Scene, row: ActionRow): boolean {
  return rows.attempts.get(row.id).some(({ result }) => result === 'landed' || result === 'unknown')
}

function judge(all: readonly Sample[], policy: Policy, now: number): string {
  const { evidence, detector, tiers } = policy
  const settings = detector.detector === 'rate' ? detector : null
  const known = all.filter(({ at }) => at <= now)
  const newest = known.at(-1)
  if (newest === undefined) return 'never read'
  const end = evidence.windowEnds === 'now' ? now : newest.at
  const used = thin(
    afterReset(
      known.filter(({ at }) => at >= end - evidence.windowMs),
      evidence.reset,
    ),
    evidence.minimumSpacingMs,
  )
  const first = used[0]
  if (first === undefined || used.length < evidence.minimumSamples) return 'too few readings'
  if (now - newest.at > (evidence.maximumStalenessMs ?? Infinity)) return 'not read lately'
  if (newest.at - first.at < evidence.minimumSpanMs) return 'not watched for long enough'
  // Other detectors compare with past posts; that they saw enough is all that is checked here.
  if (settings === null) return 'stalled'
  return judgeRate(used, settings, tiers.rate.tier_1)
}

function judgeRate(
  used: readonly Sample[],
  settings: Extract<Policy['detector'], { detector: 'rate' }>,
  threshold: number,
): string {
  const shown = used.filter(({ impressions }) => impressions !== null)
  const [from, to] = [shown[0], shown.at(-1)]
  const views = Math.max(0, (to?.impressions ?? 0) - (from?.impressions ?? 0))
  if (settings.withoutImpressions === 'insufficient') {
    if (shown.length < 2 || views < settings.minimumImpressions) return 'seen by too few'
  }
  const reactions = Math.max(0, (to?.engagements ?? 0) - (from?.engagements ?? 0))
  const rate = views === 0 ? 0 : reactions / views
  return 1 - Math.min(1, rate * settings.multiplier) >= threshold ? 'stalled' : 'healthy'
}

/** Readings from before a counter started again cannot be compared with those after it. */
function afterReset(
  samples: readonly Sample[],
  reset: Policy['evidence']['reset'],
): readonly Sample[] {
  if (reset === null) return samples
  const isFall = (before: number, after: number) =>
    before - after > Math.max(reset.fallCount, before * reset.fallShare)
  let start = 0
  let seen: number | null = null
  for (const [index, sample] of samples.entries()) {
    const before = samples[index - 1]
    const views = sample.impressions
    const fellViews = seen !== null && views !== null && isFall(seen, views)
    const fell = before !== undefined && isFall(before.engagements, sample.engagements)
    if (fell || fellViews) start = index
    if (views !== null) seen = views
  }
  return samples.slice(start)
}

/** Of readings that lie close together the later one counts. */
function thin(samples: readonly Sample[], spacingMs: number): readonly Sample[] {
  const kept: Sample[] = []
  for (const sample of samples.toReversed()) {
    const next = kept.at(-1)
    if (next === undefined || next.at - sample.at >= spacingMs) kept.push(sample)
  }
  return kept.reverse()
}
