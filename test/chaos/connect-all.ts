/** Owns how a worker reaches the networks: over HTTP, and on them every post stands still. */

import { withConnector } from '../../sim/planted-bugs/seams.ts'
import type { Observation, Platform } from '../../src/platform/platform.ts'
import { connectOverHttp } from '../../src/platform/simulated/index.ts'
import { chaosProfiles } from './world.ts'

export function connectAll(urls: Readonly<Record<string, string>>): readonly Platform[] {
  return chaosProfiles.map((profile) => {
    const url = urls[profile.description.platform]
    if (url === undefined) throw new Error(`${profile.description.platform} is served nowhere`)
    return standStill(connectOverHttp({ profile, url }))
  })
}

const standStill = withConnector((platform) => ({
  observe: async (options) => (await platform.observe(options)).map(unmoved),
}))

/** People are shown the post, and nobody ever reacts. */
function unmoved(observation: Observation): Observation {
  if (observation.kind !== 'live') return observation
  const { at } = observation.sample
  return { ...observation, sample: { at, impressions: 100_000, engagements: 0 } }
}
