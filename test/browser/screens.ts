/** Every screen with data, without any, and with errors; in both themes; wide and narrow. */

import { describe, expect, test } from 'vitest'
import type { Stage } from '../builders/engine.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  lookAsOwner,
  open,
  settled,
  takePicture,
} from './looking.ts'
import type { Site } from './site.ts'
import { actionIn, inFullWorld, openNewWorld } from './worlds.ts'

/** A dozen screens in a row take their time on a busy machine. */
const longMs = 180_000

let stage: Stage
let site: Site
inFullWorld((world) => ({ stage, site } = world))

/** Each screen, and words that only its data can bring. */
async function screens(): Promise<readonly (readonly [name: string, path: string, has: string])[]> {
  const action = await actionIn(stage, 'success')
  return [
    ['home', '/', 'await approval'],
    ['inbox', '/inbox', 'Approve'],
    ['inbox-ended', '/inbox?show=ended', 'failed'],
    ['posts', '/posts', 'roasted walnuts'],
    ['post', `/posts/${action.postId}`, 'The same as a table'],
    ['action', `/actions/${action.id}`, 'Attempt 1'],
    ['impact', '/impact', 'Not measured'],
    ['accounts', '/accounts', 'What the network allows'],
    ['policy', '/policy', 'in force for'],
    ['system', '/system', 'What is due is being done'],
    ['audit', '/audit', 'newest first'],
  ]
}

describe.each(['light', 'dark'] as const)('every screen, %s', (colorScheme) => {
  test(
    'shows its data, and axe finds nothing wrong',
    async () => {
      await using visited = await lookAsOwner(site, { colorScheme })
      const { page, complaints } = visited
      for (const [name, path, has] of await screens()) {
        await open(page, site, path)
        await page.getByText(has).first().waitFor()
        await expectAccessible(page, `${name}, ${colorScheme}`)
        await takePicture(page, `${name}-${colorScheme}`)
        expect({ name, complaints }).toEqual({ name, complaints: [] })
      }
    },
    longMs,
  )
})

test(
  'every screen can be used at 400 px',
  async () => {
    await using visited = await lookAsOwner(site, { viewport: { width: 400, height: 800 } })
    const { page } = visited
    for (const [name, path, has] of await screens()) {
      await open(page, site, path)
      await page.getByText(has).first().waitFor({ state: 'attached' })
      await expectNoSidewaysScroll(page, name)
      expect(await page.getByRole('button', { name: 'Pause all' }).isVisible()).toBe(true)
      await takePicture(page, `${name}-narrow`)
    }
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Policy' }).click()
    await page.getByRole('heading', { name: 'Policy', level: 1 }).waitFor()
  },
  longMs,
)

test(
  'every screen says the next step where there is nothing yet',
  async () => {
    const { site: empty } = await openNewWorld('demo')
    await using running = empty
    await using visited = await lookAsOwner(running)
    const { page, complaints } = visited
    const steps = [
      ['/', 'Connect your first account'],
      ['/inbox', 'Nothing awaits approval'],
      ['/inbox?show=attention', 'Nothing needs attention'],
      ['/posts', 'No account is connected yet'],
      ['/posts?verdict=hold', 'No post matches'],
      ['/impact', 'Nothing was measured yet'],
      ['/accounts', 'No account is connected yet'],
      ['/system', 'No program has access'],
      ['/audit', 'Export CSV'],
      ['/nowhere', 'There is nothing at this address'],
    ] as const
    for (const [path, says] of steps) {
      await page.goto(`${running.url}${path}`)
      await page.getByText(says).first().waitFor()
      await expectAccessible(page, `${path}, empty`)
    }
    expect(complaints).toEqual([])
  },
  longMs,
)

test(
  'every screen says what went wrong, and shows its data once that is over',
  async () => {
    await using visited = await lookAsOwner(site)
    const { page } = visited
    const problem = {
      type: 'about:blank',
      title: 'The ledger cannot be reached',
      status: 503,
      detail: 'Nothing was changed. Try again in a moment.',
    }
    // An error looks the same everywhere.
    const isJudged = new Set(['home', 'post', 'system'])
    const isData = (url: URL) => /^\/api\/v1\/(?!session|events)/.test(url.pathname)
    for (const [name, path, has] of await screens()) {
      await page.route(isData, (route) =>
        route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify(problem),
        }),
      )
      await page.goto(`${site.url}${path}`)
      const alerts = page.getByRole('alert').filter({ hasText: problem.title })
      await alerts.first().waitFor()
      await settled(page)
      if (isJudged.has(name)) await expectAccessible(page, `${name}, with an error`)
      await page.unroute(isData)
      const before = await alerts.count()
      await alerts.first().getByRole('button', { name: 'Try again' }).click()
      await expect.poll(() => alerts.count()).toBeLessThan(before)
      await page.reload()
      await settled(page)
      await page.getByText(has).first().waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    }
  },
  longMs,
)

test('a chosen theme stays, and is there before the first paint', async () => {
  await using visited = await lookAsOwner(site, { colorScheme: 'light' })
  const { page } = visited
  const background = () =>
    page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  const light = await background()
  await page.keyboard.press('t')
  const dark = await background()
  expect(dark).not.toBe(light)
  await page.reload()
  await settled(page)
  expect(await background()).toBe(dark)
})
