/** Holds the simulated network, in every profile and over both wires, to the port of a network. */

import { describe, expect, it } from 'vitest'
import { profileNames } from '../src/platform/simulated/profiles.ts'
import { platformCases, simulatedSuite } from '../src/testing/platform-conformance.ts'

describe.each(profileNames)('the simulated %s', (profile) => {
  describe.each(['process', 'http'] as const)('over %s', (over) => {
    const suite = simulatedSuite({ profile, over, seed: `${profile} over ${over}` })
    it.each(platformCases(suite))('$name', async (each) => {
      await expect(each.run()).resolves.toBeUndefined()
    })
  })
})
