/**
 * The dashboard in a real Chromium, on the real server. All of it is one file, as one browser is
 * enough work for a machine; the suites stand beside it in test/browser.
 */

import { afterAll } from 'vitest'
import { closeAll } from './browser/looking.ts'
import './browser/accounts.ts'
import './browser/first-run.ts'
import './browser/screens.ts'
import './browser/using.ts'
import './browser/staying-live.ts'
import './browser/workers.ts'

afterAll(closeAll)
