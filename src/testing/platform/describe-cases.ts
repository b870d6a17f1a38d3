/** What must be true of a description: pure, and without contradictions. */

import assert from 'node:assert/strict'
import { actions } from '../../core/action.ts'
import type { Description } from '../../platform/platform.ts'
import { casesOf } from './case.ts'
import type { CasesFor, Plays } from './case.ts'
import type { World } from './world.ts'

export const describeCases: CasesFor = (suite) => [
  ...casesOf(suite, 'describe', purity),
  ...casesOf(suite, 'describe', consistent),
]

const purity: Plays = {
  'says the same each time, and without credentials': async ({ platform, harness }) => {
    const { connection } = harness
    const first = plain(platform.describe(connection))
    assert.deepEqual(plain(platform.describe(connection)), first)
    assert.deepEqual(plain(platform.describe({ ...connection, credentials: null })), first)
  },

  'says what the suite was told, under the name of the platform': async ({
    platform,
    description,
    suite,
  }) => {
    assert.deepEqual(plain(description), plain(suite.description))
    assert.equal(description.platform, platform.name)
  },
}

/** What holds of every description, whatever was known of the account when it was made. */
export const consistency: Readonly<Record<string, (description: Description) => void>> = {
  'supports an action in a class of write, or says why not': (description) => {
    for (const action of actions) {
      const ability = description.actions[action]
      if (!ability.supported) {
        assert.notEqual(ability.why.trim(), '')
        continue
      }
      assert.ok(['A', 'B', 'C'].includes(ability.writeClass))
      assert.ok(ability.withinMs === null || ability.withinMs > 0)
    }
  },

  'offers to take back only what it can do': (description) => {
    for (const action of actions) {
      const isOffered = description.canUndo[action]
      assert.ok(!isOffered || description.actions[action].supported, action)
    }
  },

  'gives limits that can be kept': (description) => {
    const { threadMaximum, observeBatch, rates, visibleWithinMs, counterLagMs } = description
    assert.ok(Number.isInteger(observeBatch) && observeBatch >= 1)
    assert.ok(Number.isFinite(visibleWithinMs) && visibleWithinMs >= 0)
    assert.ok(Number.isFinite(counterLagMs) && counterLagMs >= 0)
    const least = description.actions.thread.supported ? 2 : 1
    assert.ok(Number.isInteger(threadMaximum) && threadMaximum >= least)
    const abilities = actions.map((action) => description.actions[action])
    const hasClassA = abilities.some((each) => each.supported && each.writeClass === 'A')
    const { deduplicatesForMs } = description
    assert.ok(deduplicatesForMs === null || (hasClassA && deduplicatesForMs > 0))
    for (const { name, windowMs, maximum } of rates) {
      assert.ok(windowMs > 0 && maximum >= 1, `The rate ${name} lets nothing through`)
    }
  },

  'names each counter once': (description) => {
    const { counters } = description
    assert.equal(new Set(counters).size, counters.length)
    assert.ok(counters.length > 0 || description.hasImpressions, 'Nothing can be observed')
  },

  'counts length from nothing upwards': (description) => {
    const { maximum, measure } = description.length
    assert.ok(Number.isInteger(maximum) && maximum > 0)
    assert.equal(measure(''), 0)
    let last = 0
    for (const text of ['a', 'ab', 'ab 🌱', 'ab 🌱\n— ünd', `ab 🌱\n— ünd${'x'.repeat(maximum)}`]) {
      const length = measure(text)
      assert.ok(Number.isInteger(length) && length > last, `${length} after ${last}`)
      last = length
    }
    assert.ok(last > maximum, 'Nothing is ever too long')
  },
}

const consistent: Plays = Object.fromEntries(
  Object.entries(consistency).map(([name, check]) => [
    name,
    async ({ description }: World) => check(description),
  ]),
)

/** Functions cannot be compared; the cases on length look at them. */
export function plain({ length, ...rest }: Description): unknown {
  return { ...rest, length: length.maximum }
}
