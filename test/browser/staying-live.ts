/** Staying live: what happens is seen without a reload, also after the server was away. */

import { expect, test } from 'vitest'
import { minuteMs } from '../../src/core/duration.ts'
import type { Stage } from '../builders/engine.ts'
import { lookAsOwner, open } from './looking.ts'
import type { Site } from './site.ts'
import { inFullWorld } from './worlds.ts'

let stage: Stage
let site: Site
inFullWorld((world) => ({ stage, site } = world))

test('a new post appears by itself', async () => {
  await using visited = await lookAsOwner(site)
  const { page, complaints } = visited
  await open(page, site, '/posts')
  expect(await page.getByText('Fresh from the oven').count()).toBe(0)
  stage.publish('Fresh from the oven, and gone by noon.')
  await stage.pass(20 * minuteMs)
  await page.getByText('Fresh from the oven').waitFor()
  expect(complaints).toEqual([])
})

test('a decision of someone else takes the action out of the inbox', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await open(page, site, '/inbox?action=thread')
  await page.getByText('The third part.').waitFor()
  const row = (await stage.actions()).find(({ accountId }) => accountId === 'tom')
  if (row === undefined) throw new Error('Tom has no action')
  await stage.decide(row, { kind: 'reject', reason: 'Not today' })
  await page.getByText('Nothing awaits approval').waitFor()
  expect(await page.getByText('The third part.').count()).toBe(0)
})

test('after a restart of the server the page goes on by itself, missing nothing', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await open(page, site, '/posts')
  await page.getByText('roasted walnuts').waitFor()
  await site.stop()
  await page.getByText('Not connected, trying again').waitFor()
  stage.publish('Published while nobody could see it.')
  await stage.pass(20 * minuteMs)
  await site.start()
  await page.getByText('Published while nobody could see it.').waitFor()
  await page.getByText('Not connected, trying again').waitFor({ state: 'detached' })
  expect(await page.getByText('roasted walnuts').count()).toBe(1)
})

test('who is signed out elsewhere is asked to sign in', async () => {
  await using visited = await lookAsOwner(site)
  const { page, context } = visited
  await open(page, site, '/posts')
  await context.clearCookies()
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByText('roasted walnuts').count()).toBe(0)
})
