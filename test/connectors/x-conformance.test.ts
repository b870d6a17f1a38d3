/**
 * Holds the X connector to the port of a network, on a fake server after the public documentation:
 * once for an account of which all was proven, and once for one of which nothing was.
 */

import { describe, expect, it } from 'vitest'
import { platformCases } from '../../src/testing/platform-conformance.ts'
import { fakeXSuite, provenProfile } from './x/fake-suite.ts'

const unproven = { ...provenProfile, isPremium: false, repliesProven: false, editWindowMs: null }

describe.each([
  ['with Premium and proven replies', fakeXSuite(provenProfile)],
  ['of which nothing was proven', fakeXSuite(unproven)],
])('an account on X %s', (_, suite) => {
  it.each(platformCases(suite))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})
