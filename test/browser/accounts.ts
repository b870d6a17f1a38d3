/** The Accounts screen: after a restore, and where something can be tried out. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { minuteMs, secondMs } from '../../src/core/duration.ts'
import { toAccountId } from '../../src/core/ids.ts'
import type { Stage } from '../builders/engine.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  lookAsOwner,
  open,
  takePicture,
} from './looking.ts'
import type { Site } from './site.ts'
import { inFullWorld } from './worlds.ts'

let stage: Stage
let site: Site
inFullWorld((world) => ({ stage, site } = world))

/** The network answers only as its own clock goes on. */
function letTimePass(): Disposable {
  const timer = setInterval(() => void stage.clock.advance(secondMs), 10)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const paused = async () => (await stage.ledger.listPauses()).map(({ target }) => target)

async function signInAgain(page: Page, handle: string): Promise<void> {
  await open(page, site, `/accounts?id=${handle}&connect=${handle}`)
  await page.getByLabel('Handle').fill(handle)
  await page.getByLabel('Token').fill('secret')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' })
}

test('a restored account is matched with its network, and goes on', async () => {
  await using visited = await lookAsOwner(site)
  const { page, complaints } = visited
  await signInAgain(page, 'ann')
  await stage.ledger.markRestored('backup')
  await stage.clock.advance(minuteMs)
  const post = (await stage.posts()).find(({ accountId }) => accountId === 'ann')
  stage.network.world.replyByHand(post?.remoteId ?? '', 'What went out after the backup.')
  await stage.clock.advance(minuteMs)
  await open(page, site, '/')
  await page.getByText('5 accounts are paused').waitFor()
  await page.getByRole('link', { name: 'Match them' }).click()
  const section = page.getByRole('region', { name: 'Restored from a backup' })
  await section.getByText('does not know what went out').waitFor()
  await expectAccessible(page, 'a restored account')
  {
    using _ = letTimePass()
    await section.getByRole('button', { name: 'Match with the network' }).click()
    await section.getByText('Its pause is lifted.').waitFor()
  }
  await section.getByText('that the ledger did not make').waitFor()
  await section.getByText('may be theirs').waitFor()
  await expectAccessible(page, 'a matched account')
  await expectNoSidewaysScroll(page, 'a matched account')
  await takePicture(page, 'matched')
  expect(await paused()).not.toContain('ann')
  expect(complaints).toEqual([])
})

test('who restored it by other means says when the backup was made', async () => {
  await using visited = await lookAsOwner(site, { viewport: { width: 400, height: 900 } })
  const { page } = visited
  await signInAgain(page, 'eve')
  await stage.ledger.resume('account', 'eve')
  await stage.ledger.markRestored('command line')
  await open(page, site, '/accounts?id=eve')
  const section = page.getByRole('region', { name: 'Restored from a backup' })
  await section.getByLabel('When was the backup made?').fill('2026-01-01T03:00')
  await expectAccessible(page, 'when the backup was made')
  await expectNoSidewaysScroll(page, 'when the backup was made')
  await takePicture(page, 'restored-400')
  using _ = letTimePass()
  await section.getByRole('button', { name: 'Match with the network' }).click()
  await section.getByText('Its pause is lifted.').waitFor()
  expect(await paused()).not.toContain('eve')
})

test('a restored account is resumed without it only by who confirms', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await stage.ledger.markRestored('backup')
  await open(page, site, '/accounts?id=kim')
  await page.getByRole('button', { name: 'Resume without it' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('may be sent a second time').waitFor()
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await paused()).toContain('kim')
  // One alone is named.
  for (const name of await paused()) {
    if (name !== 'kim') await stage.ledger.resume('account', name)
  }
  await page.reload()
  await page.getByRole('link', { name: 'Match kim with its network' }).waitFor()
  await page.getByRole('button', { name: 'Resume without it' }).click()
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('region', { name: 'Restored' }).waitFor({ state: 'detached' })
  expect(await paused()).not.toContain('kim')
})

test('what can be tried out asks first, and says what it found', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await stage.ledger.resume('account', 'tom')
  await signInAgain(page, 'tom')
  const section = page.getByRole('region', { name: 'Try it out' })
  await section.getByText('whether its edits are kept').waitFor()
  await section.getByRole('button', { name: 'Try it out' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It posts a line and removes it.').waitFor()
  await expectAccessible(page, 'before a trial')
  await dialog.getByRole('button', { name: 'Try it now' }).click()
  await section.getByText('Its edits are kept.').waitFor()
  const account = await stage.ledger.getAccount(toAccountId('tom'))
  expect(account?.profile).toEqual({ keepsEdits: true })
  await takePicture(page, 'trial')
})
