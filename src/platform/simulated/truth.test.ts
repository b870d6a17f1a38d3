/** Shows that the truth is complete, reproducible, and out of a connector’s reach. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import { Scene } from '../../testing/platform/scene.ts'
import { profileNames } from './profiles.ts'
import { seededRandom } from './seeded-random.ts'

/** Publishes, comments and edits by a plan; between the steps somebody reads, or nobody does. */
async function history(seed: string, readsBetween: number) {
  const scene = new Scene('full', { random: seededRandom(seed), lateShare: 0.5 })
  for (let step = 0; step < 8; step += 1) {
    const post = scene.publish(`Post ${step}`)
    await scene.clock.advance(hourMs)
    for (let read = 0; read < readsBetween; read += 1) await scene.observe(post)
    await scene.commit(await scene.ready(step % 2 === 0 ? 'comment' : 'edit', post))
    scene.world.react(post, 'likes', step)
  }
  await scene.clock.advance(dayMs)
  return {
    effects: scene.truth.effects(),
    counters: scene.truth.posts().map(({ id }) => scene.truth.counters(id, scene.clock.now())),
  }
}

describe('the truth', () => {
  it('comes out the same from the same seed, however often anybody reads', async () => {
    const property = fc.asyncProperty(
      fc.nat(1e6),
      fc.integer({ min: 1, max: 5 }),
      async (n, reads) => {
        expect(await history(`${n}`, reads)).toEqual(await history(`${n}`, 0))
      },
    )
    await fc.assert(property, { numRuns: 20 })
    expect(await history('one', 0)).not.toEqual(await history('another', 0))
  })

  it('names every effect: whose it is, where, what and when', async () => {
    const scene = new Scene('full')
    const post = scene.publish()
    const write = await scene.ready('comment', post, ['Ours'])
    const { remoteId } = await scene.commit(write)
    await scene.clock.advance(minuteMs)
    const byHand = scene.world.replyByHand(post, 'The owner’s')
    const [ours, theirs] = scene.truth.effects()
    const common = { handle: 'anna', postId: post, action: 'comment', segment: 0 }
    expect(ours).toMatchObject({
      ...common,
      key: write.key,
      by: 'connector',
      remoteId,
      text: 'Ours',
    })
    expect(theirs).toMatchObject({ ...common, key: null, by: 'owner', remoteId: byHand, factor: 1 })
    scene.world.remove(byHand)
    expect(scene.truth.effects()[1]).toMatchObject({ removedAt: scene.clock.now() })
    expect(scene.truth.deletions()).toEqual([{ remoteId: byHand, at: scene.clock.now() }])
  })

  it('holds factors whose mean is the true effect of the action', async () => {
    const effects = { comment: { mean: 1.5, spread: 0.3 } }
    const scene = new Scene('nostr', { effects })
    const factors: number[] = []
    for (let count = 0; count < 2000; count += 1) {
      await scene.clock.advance(minuteMs)
      const write = await scene.ready('comment', scene.publish())
      await scene.commit(write)
      factors.push(scene.truth.effectsOf(write.key)[0]?.factor ?? 0)
    }
    const mean = factors.reduce((sum, factor) => sum + factor, 0) / factors.length
    expect(mean).toBeGreaterThan(1.47)
    expect(mean).toBeLessThan(1.53)
    expect(scene.truth.trueEffects.comment).toEqual(effects.comment)
  })

  it('knows what would have come without the action, so that lift can be checked', async () => {
    const scene = new Scene('full', { effects: { thread: { mean: 2, spread: 0 } } })
    let [gained, untouched] = [0, 0]
    for (let count = 0; count < 40; count += 1) {
      const post = scene.publish('A post', { kind: 'usual', total: 1000 })
      await scene.clock.advance(hourMs)
      const acted = scene.clock.now()
      await scene.commit(await scene.ready('thread', post))
      await scene.clock.advance(dayMs)
      const now = scene.clock.now()
      const before = scene.truth.counters(post, acted - 1).engagements
      expect(scene.truth.countersWithoutActions(post, acted - 1).engagements).toBe(before)
      gained += scene.truth.counters(post, now).engagements - before
      untouched += scene.truth.countersWithoutActions(post, now).engagements - before
    }
    expect(gained / untouched).toBeCloseTo(2, 1)
  })

  it.each(profileNames)('cannot be reached through the connector of %s', (profile) => {
    const { platform, truth } = new Scene(profile)
    const reachable = new Set<unknown>()
    const visit = (value: unknown) => {
      if (value === null || typeof value !== 'object' || reachable.has(value)) return
      reachable.add(value)
      for (const key of Reflect.ownKeys(value)) visit(Reflect.get(value, key))
    }
    visit(platform)
    expect(reachable.has(truth)).toBe(false)
    expect(reachable.size).toBe(1)
  })

  it('shows no connector the label that the truth is kept by', async () => {
    const scene = new Scene('full')
    const post = scene.publish()
    const write = await scene.ready('comment', post)
    await scene.commit(write)
    const shown = JSON.stringify([
      await scene.observe(post),
      await scene.locate(write),
      await scene.platform.discover({ ...scene.options, since: 0 }),
    ])
    expect(shown).not.toContain(write.key)
  })
})
