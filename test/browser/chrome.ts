/**
 * Owns the browser that tests look through: one process for all of them. A page that logs an error
 * or breaks the content security policy fails the test that looked at it.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import packed from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** Where a system's own Chrome may be; the packed one runs on Linux only. */
const installed = [
  process.env['CHROME_PATH'] ?? '',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
]

const flags = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none']

export async function launchChrome(): Promise<Browser> {
  const own = installed.find((path) => path !== '' && existsSync(path))
  if (own !== undefined) return chromium.launch({ executablePath: own, args: ['--no-sandbox'] })
  const executablePath = await packed.executablePath()
  const fonts = join(tmpdir(), 'fonts')
  const env = { ...process.env, ...(existsSync(fonts) ? { FONTCONFIG_PATH: fonts } : {}) }
  return chromium.launch({ executablePath, args: [...flags, '--headless=shell'], env })
}

/** A page, and what went wrong on it. */
export interface Visit extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** What was logged as an error, and every breach of the content security policy. */
  readonly complaints: readonly string[]
}

export type VisitOptions = Pick<
  BrowserContextOptions,
  'colorScheme' | 'viewport' | 'storageState' | 'timezoneId'
>

/** Requests that a test makes fail are no complaint of the page's. */
const expected = /Failed to load resource|net::ERR_/

export async function visit(browser: Browser, options: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !expected.test(text)) complaints.push(text)
  })
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() }
}
