/** Owns what all browser tests share: one built dashboard, one browser, and judging a page. */

import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import type { AxeResults } from 'axe-core'
import { buildWeb } from './build-web.ts'
import type { BuiltWeb } from './build-web.ts'
import { launchChrome, visit } from './chrome.ts'
import type { Visit, VisitOptions } from './chrome.ts'
import type { Site } from './site.ts'

let web: Promise<BuiltWeb> | null = null
let browser: Promise<Browser> | null = null

export async function builtWeb(): Promise<string> {
  return (await (web ??= buildWeb())).folder
}

export async function closeAll(): Promise<void> {
  await (await browser)?.close()
  ;(await web)?.[Symbol.dispose]()
}

/** Opens a page as someone who is not signed in. */
export async function look(options: VisitOptions = {}): Promise<Visit> {
  return visit(await (browser ??= launchChrome()), options)
}

/** Opens a page as the owner, at Home. */
export async function lookAsOwner(site: Site, options: VisitOptions = {}): Promise<Visit> {
  const visited = await look(options)
  await visited.page.goto(await site.signInLink())
  await visited.page.locator('#main h1').waitFor()
  await settled(visited.page)
  return visited
}

/** Goes to an address and waits until nothing of the page is still loading. */
export async function open(page: Page, site: Site, path: string): Promise<void> {
  await page.goto(`${site.url}${path}`)
  await settled(page)
}

export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** WCAG 2 A and AA, as far as a machine can tell. What runs in the page is handed over as text. */
const runAxe = `axe.run(document, {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
})`

export async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResults>(runAxe)
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${where}: ${id}: ${html} ${failureSummary}`),
  )
  expect(found).toEqual([])
}

/** Pictures of every screen, for people to look at. */
const pictureFolder = join(import.meta.dirname, '..', '..', 'coverage', 'screens')

export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictureFolder, { recursive: true })
  await page.screenshot({ path: join(pictureFolder, `${name}.png`) })
}

/** Nothing sticks out sideways. */
export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const excess = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect({ where, excess: Math.max(0, excess) }).toEqual({ where, excess: 0 })
}
