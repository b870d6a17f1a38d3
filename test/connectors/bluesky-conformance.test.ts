/** Holds the connector to the port, on a small server with the reference server's rules. */

import { describe, expect, it } from 'vitest'
import { platformCases } from '../../src/testing/platform-conformance.ts'
import { fakeSuite } from './bluesky/suite.ts'

describe.each([
  ['as it is', false],
  ['with edits', true],
])('Bluesky %s', (_, edits) => {
  it.each(platformCases(fakeSuite(edits)))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})
