/** From the printed link to the first approval, as a stranger would go. */

import { hourMs } from '../../src/core/duration.ts'
import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { expectAccessible, look, takePicture } from './looking.ts'
import { password } from './site.ts'
import type { Site } from './site.ts'
import { comment, openNewWorld } from './worlds.ts'

async function setUp(page: Page, site: Site): Promise<void> {
  await page.goto(await site.setUpLink())
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('The same again').fill(password)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Connect your first account').waitFor()
}

async function connect(page: Page, token: string): Promise<void> {
  await page.getByLabel('Handle').fill('zoe')
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
}

describe('the first run', () => {
  test('leads from the set-up link to the first approval', async () => {
    const { network, site, pass } = await openNewWorld()
    await using running = site
    await using visited = await look()
    const { page } = visited
    await setUp(page, running)
    // The token is gone from the address.
    expect(page.url()).toBe(`${running.url}/`)
    await expectAccessible(page, 'the first step')

    await page.getByRole('link', { name: 'Connect an account' }).click()
    await page.getByRole('button', { name: /simulated-full/ }).click()
    await connect(page, 'guess')
    await page.getByText('is wrong; it is secret').first().waitFor()
    await expectAccessible(page, 'a wrong token')
    await takePicture(page, 'connect')
    await connect(page, 'secret')
    await page.getByRole('heading', { name: /zoe on/ }).waitFor()
    await page.getByText('LIVE').waitFor()
    // No post is left alone, so that this one is acted on for certain.
    await page.getByLabel('Holdout share').fill('0')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('It applies from the next look on.').waitFor()

    network.world.publish('zoe', { text: 'Nobody has seen this.', kind: 'usual', total: 1e-3 })
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.getByText('Nothing awaits approval').waitFor()
    await pass(3 * hourMs)
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    // Nothing is sent unasked.
    expect(network.truth.effects()).toEqual([])

    await page.keyboard.press('a')
    await page.getByText('It is sent after a moment').waitFor()
    await pass(hourMs / 6)
    expect(network.truth.effects().map(({ by, text }) => [by, text])).toEqual([
      ['connector', comment],
    ])
    expect(visited.complaints).toEqual([])
  })

  test('asks for the link where someone comes without it', async () => {
    const { site } = await openNewWorld()
    await using running = site
    await using visited = await look()
    await visited.page.goto(running.url)
    await visited.page.getByText('printed a link when it first started').waitFor()
    await expectAccessible(visited.page, 'without the link')
    expect(await visited.page.locator('input').count()).toBe(0)
    await takePicture(visited.page, 'set-up')
  })

  test('signs out and in again, and says that a password is wrong', async () => {
    const { site } = await openNewWorld()
    await using running = site
    await using visited = await look()
    const { page } = visited
    await setUp(page, running)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expectAccessible(page, 'signing in')
    await takePicture(page, 'sign-in')
    await page.getByLabel('Password').fill('something else')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('input[aria-invalid="true"]').waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await page.locator('input[type="password"]').count()).toBe(0)
  })
})
