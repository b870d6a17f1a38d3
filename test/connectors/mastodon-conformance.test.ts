/**
 * Holds the Mastodon connector to the port of a network, on a fake server in the manner of several
 * programs. The same cases run on a real server in the live tests.
 */

import { describe, expect, it } from 'vitest'
import { hourMs } from '../../src/core/duration.ts'
import { platformCases } from '../../src/testing/platform-conformance.ts'
import { manners } from './mastodon/fake-server.ts'
import { fakeSuite, profileOf } from './mastodon/fake-suite.ts'

const { mastodon, gotosocial, pleroma } = manners

const suites = {
  'Mastodon, with a key that was proven': fakeSuite({
    manner: mastodon,
    profile: profileOf(mastodon, { keyKeptMs: hourMs }),
    keys: 'replay',
  }),
  'GoToSocial, which ignores keys': fakeSuite({
    manner: gotosocial,
    profile: profileOf(gotosocial),
    keys: 'ignored',
  }),
  'a Pleroma without edits, which keeps keys for all': fakeSuite({
    manner: pleroma,
    profile: profileOf(pleroma, { canEdit: false }),
    keys: 'global_replay',
  }),
}

describe.each(Object.entries(suites))('%s', (_, suite) => {
  it.each(platformCases(suite))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})
