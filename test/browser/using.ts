/** Using the dashboard: by key, in bulk, with filters, and on a very long list. */

import { gzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hourMs } from '../../src/core/duration.ts'
import type { PostSummary } from '../../src/server/schema/post.ts'
import type { Stage } from '../builders/engine.ts'
import { builtWeb, expectAccessible, lookAsOwner, open, settled, takePicture } from './looking.ts'
import type { Site } from './site.ts'
import { actionIn, inFullWorld } from './worlds.ts'

let stage: Stage
let site: Site
inFullWorld((world) => ({ stage, site } = world))

const awaiting = async () =>
  (await stage.actions()).filter(({ state }) => state === 'awaiting_approval')

const pauseOfAll = async () =>
  (await stage.ledger.listPauses()).find(({ scope }) => scope === 'everything')

/** A key says nothing while the list is read anew; a person presses it again. */
async function pressFor(page: Page, key: string, what: Locator): Promise<void> {
  for (let tries = 1; tries < 10; tries += 1) {
    await page.keyboard.press(key)
    const isThere = await what.waitFor({ timeout: 1500 }).then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
  await what.waitFor()
}

describe('the keyboard', () => {
  test('shows its keys, and leads everywhere', async () => {
    await using visited = await lookAsOwner(site)
    const { page } = visited
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await expectAccessible(page, 'the keys')
    await takePicture(page, 'keys')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const [keys, title] of [
      ['gp', 'Posts'],
      ['gm', 'Impact'],
      ['gs', 'System'],
      ['gi', 'Inbox'],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      expect(await page.title()).toBe(`${title} · Second Wind`)
      expect(await page.locator('h1:focus').textContent()).toBe(title)
    }
  })

  test('does not take the second key of a sequence for a decision', async () => {
    await using visited = await lookAsOwner(site)
    const { page } = visited
    await open(page, site, '/inbox')
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    expect(await dialog.count()).toBe(0)
    await page.keyboard.press('r')
    await dialog.waitFor()
  })

  test('opens a post from the list, and keeps its hands off a field', async () => {
    await using visited = await lookAsOwner(site)
    const { page } = visited
    await open(page, site, '/posts')
    await page.keyboard.press('/')
    await page.keyboard.type('walnuts gp')
    expect(new URL(page.url()).pathname).toBe('/posts')
    await page.getByLabel('Search in texts').fill('walnuts')
    await page.keyboard.press('Enter')
    await page.waitForURL(/text=walnuts/)
    await page.getByLabel('Search in texts').blur()
    await page.getByText('roasted walnuts').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Post', level: 1 }).waitFor()
  })

  test('edits, snoozes and rejects from the inbox', async () => {
    await using visited = await lookAsOwner(site)
    const { page } = visited
    await open(page, site, '/inbox?accountId=ann')
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Text' }).fill('A better text.')
    await takePicture(page, 'edit')
    await page.getByRole('button', { name: 'Save, decide later' }).click()
    await page.getByText('It still awaits approval').waitFor()
    await page.getByRole('dialog', { name: 'Edit the text' }).waitFor({ state: 'detached' })
    expect((await awaiting()).map(({ text }) => text)).toContain('A better text.')
    await pressFor(page, 's', page.getByRole('button', { name: 'in 30 min' }))
    await page.getByRole('button', { name: 'in 30 min' }).click()
    await page.getByText('Asked again in 30 min').waitFor()
    await page.getByRole('dialog', { name: 'Ask again' }).waitFor({ state: 'detached' })
    const before = await awaiting()
    await pressFor(page, 'r', page.getByLabel('Reason'))
    await page.keyboard.type('Too much')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is sent.').first().waitFor()
    const rejected = await actionIn(stage, 'rejected')
    const [approval] = (await stage.ledger.listApprovals(rejected.id)).toReversed()
    expect(approval).toMatchObject({ decision: 'rejected', reason: 'Too much', by: 'owner' })
    expect((await awaiting()).length).toBe(before.length - 1)
  })
})

test('an edit is shown word by word, and a thread post by post', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await open(page, site, '/inbox?action=edit')
  expect(await page.locator('ins').first().textContent()).toContain('Read on.')
  await open(page, site, '/inbox?action=thread')
  await page.getByText('The third part.').waitFor()
  expect(await page.getByRole('article').count()).toBe(4)
})

test('many are decided on at once, and their texts are shown first', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await open(page, site, '/inbox')
  const before = await awaiting()
  expect(before.length).toBeGreaterThan(1)
  await page.getByRole('button', { name: 'Approve…' }).click()
  const dialog = page.getByRole('dialog')
  for (const { text } of before) {
    expect(await dialog.textContent()).toContain((text ?? '').split('\n')[0])
  }
  await expectAccessible(page, 'a bulk decision')
  await dialog.getByRole('button', { name: `Approve ${before.length} actions` }).click()
  await page.getByText('Nothing awaits approval').waitFor()
  expect(await awaiting()).toEqual([])
})

test('everything is paused from any screen, and resumed', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await open(page, site, '/policy')
  await page.keyboard.press('Shift+P')
  await page.getByLabel('Reason').fill('Looking into it')
  await page.getByRole('button', { name: 'Pause everything' }).last().click()
  await page.getByText('Everything is paused').first().waitFor()
  expect(await pauseOfAll()).toMatchObject({ reason: 'Looking into it' })
  await expectAccessible(page, 'paused')
  await page.getByRole('button', { name: 'Resume all' }).click()
  await page.getByText('Due actions go on').waitFor()
  expect(await pauseOfAll()).toBeUndefined()
})

test('a pause of the engine’s stands above every screen and is lifted there', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  const paused = async () => (await stage.ledger.listPauses()).map(({ target }) => target)
  expect(await paused()).toEqual(['sam'])
  await open(page, site, '/impact')
  await page.getByText('the network took it for spam').waitFor()
  await page.getByRole('button', { name: 'Resume sam' }).click()
  await page.getByText('the network took it for spam').waitFor({ state: 'detached' })
  expect(await paused()).toEqual([])
})

test('a filter stands in the address and survives a reload', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await open(page, site, '/posts')
  await page.getByLabel('Status').selectOption('any')
  await page.getByLabel('Account').selectOption('kim')
  await page.waitForURL(/status=any&accountId=kim/)
  await page.reload()
  await settled(page)
  expect(await page.getByLabel('Account').inputValue()).toBe('kim')
  expect(await page.getByRole('row').filter({ hasText: 'roasted walnuts' }).count()).toBe(0)
})

test('a new policy is checked, tried on past posts, saved and put in force', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await open(page, site, '/policy?id=stage@1')
  await page.getByLabel('looks, required').fill('0')
  await page.getByRole('alert').filter({ hasText: 'looks.required' }).waitFor()
  await page.getByLabel('looks, required').fill('2')
  await page.getByRole('button', { name: 'Try it on past posts' }).click()
  await page.getByText(/It would have acted on \d+ of \d+ posts/).waitFor()
  await expectAccessible(page, 'a dry run')
  await takePicture(page, 'dry-run')
  await page.getByRole('button', { name: 'Save as stage@2' }).click()
  await page.getByText('stage@2 is in force for no account.').waitFor()
  await page.getByRole('button', { name: 'Use it for ann' }).click()
  await page.getByText('stage@2 is in force for ann.').waitFor()
  expect((await stage.account()).policy).toBe('stage@2')
  expect((await stage.ledger.getPolicy('stage@2'))?.looks.required).toBe(2)
})

test('a token is shown once and can be revoked', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  await open(page, site, '/system')
  await page.getByLabel('Name of the new token').fill('reports')
  await page.getByRole('button', { name: 'Make a token' }).click()
  const secret = await page.locator('code').textContent()
  const answer = () =>
    fetch(`${site.url}/api/v1/overview`, { headers: { authorization: `Bearer ${secret}` } })
  expect((await answer()).status).toBe(200)
  await page.reload()
  await settled(page)
  expect(await page.getByText(secret ?? '').count()).toBe(0)
  await page.getByRole('button', { name: 'Revoke reports' }).click()
  await page.getByText('reports was revoked').waitFor()
  expect((await answer()).status).toBe(401)
})

test('100,000 posts are one list, of which only those in sight exist', async () => {
  await using visited = await lookAsOwner(site)
  const { page, complaints } = visited
  const [post] = (await stage.posts()).toReversed()
  const items = Array.from({ length: 100_000 }, (_, index) => rowOf(post?.accountId ?? '', index))
  await page.route(/\/api\/v1\/posts\?/, (route) => route.fulfill({ json: { items, next: null } }))
  await open(page, site, '/posts')
  await page.getByText('Post number 0', { exact: true }).waitFor()
  const rows = page.getByRole('table').getByRole('row')
  expect(await rows.count()).toBeLessThan(60)
  await page.locator('.post-table .body').focus()
  await page.keyboard.press('End')
  await page.getByText('Post number 99999', { exact: true }).waitFor()
  expect(await rows.count()).toBeLessThan(60)
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('100001')
  expect(complaints).toEqual([])
})

function rowOf(accountId: string, index: number): PostSummary {
  const at = new Date(Date.UTC(2026, 2, 2, 12) - index * 1000).toISOString()
  return {
    id: `post-${index}`,
    accountId,
    platform: 'simulated-full',
    remoteId: String(index),
    url: null,
    text: `Post number ${index}`,
    publishedAt: at,
    status: 'watched',
    neverTouch: false,
    arm: null,
    nextCheckAt: at,
    trackedAt: at,
    closedAt: null,
    latest: null,
    newestSample: null,
    sparkline: [],
    action: null,
  }
}

test('the first load stays below 260 kB', async () => {
  const folder = await builtWeb()
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(
    ([, path = '']) => path,
  )
  expect(files.length).toBeGreaterThan(1)
  const bytes = files.map((path) => gzipSync(readFileSync(join(folder, path))).length)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(260_000)
})

test('an action that was sent is taken back as an action of its own', async () => {
  await using visited = await lookAsOwner(site)
  const { page } = visited
  const sent = (await stage.actions()).find(
    ({ state, accountId }) => state === 'success' && accountId === 'kim',
  )
  await open(page, site, `/actions/${sent?.id ?? ''}`)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Plan the undo' }).click()
  await page.getByText('It is an action of its own.').waitFor()
  await stage.pass(hourMs / 6)
  const undo = (await stage.actions()).find(({ undoes }) => undoes === sent?.id)
  expect(undo).toBeDefined()
})
