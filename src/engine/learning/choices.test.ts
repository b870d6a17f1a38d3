/** The last choice before the draw is what is remembered of a post. */

import { expect, test } from 'vitest'
import { toPostId } from '../../core/ids.ts'
import type { Explored } from '../../core/lift/explore.ts'
import { openMemoryLedger } from '../../ledger/index.ts'
import { VirtualClock } from '../../testing/platform/virtual-clock.ts'
import { keepChoice, readChoices } from './choices.ts'

function choiceOf(name: string): Explored {
  const options = [
    { name, chance: 0.7 },
    { name: 'other', chance: 0.3 },
  ]
  return { action: { chosen: name, propensity: 0.7, options }, template: null }
}

const post = toPostId('post')

test('a later choice takes the place of an earlier one', async () => {
  const ledger = openMemoryLedger(new VirtualClock())
  await keepChoice(ledger, post, choiceOf('comment'))
  await keepChoice(ledger, post, choiceOf('thread'))
  expect(await readChoices(ledger)).toEqual(new Map([['post', choiceOf('thread')]]))
})

test('where nothing was chosen in the end, nothing is remembered', async () => {
  const ledger = openMemoryLedger(new VirtualClock())
  await keepChoice(ledger, post, choiceOf('comment'))
  await keepChoice(ledger, post, null)
  await keepChoice(ledger, toPostId('never'), null)
  expect(await readChoices(ledger)).toEqual(new Map())
})

test('those of many posts are all read', async () => {
  const ledger = openMemoryLedger(new VirtualClock())
  for (let count = 0; count < 1001; count += 1) {
    await keepChoice(ledger, toPostId(`post-${count}`), choiceOf('edit'))
  }
  expect((await readChoices(ledger)).size).toBe(1001)
})
