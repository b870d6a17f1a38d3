/**
 * Holds the Mastodon connector, and the engine with it, to a real server: snac, which ignores
 * Idempotency-Key. A proxy in front of it plays the servers that do not.
 */

import { afterAll, describe, expect, it } from 'vitest'
import { hourMs } from '../../src/core/duration.ts'
import { toAccountId } from '../../src/core/ids.ts'
import { mastodon } from '../../src/platform/mastodon/index.ts'
import { platformCases } from '../../src/testing/platform-conformance.ts'
import { exactlyOnceCases, liveFaults } from './exactly-once.ts'
import { Snac } from './mastodon/snac.ts'
import { snacExactlyOnce, snacSuite, toolsFor } from './mastodon/snac-suite.ts'

const snac = await Snac.start()
afterAll(() => snac[Symbol.asyncDispose]())

describe('snac', async () => {
  const suite = await snacSuite({ snac, keys: 'ignored' })
  it.each(platformCases(suite))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})

describe('signing in to snac', () => {
  const { signal } = new AbortController()

  it('leads through its page to an account that can be read', async () => {
    const user = await snac.addUser()
    const tools = toolsFor(snac.url)
    const way = mastodon.signIns.find(({ kind }) => kind === 'browser')
    if (way?.kind !== 'browser') throw new Error('There is no page to agree on')
    const request = { values: { server: snac.url }, redirectUri: 'https://wind.example/', signal }
    const visit = await way.begin(tools, request)
    const answer = await user.agree(visit.url)
    const { handle, credentials, profile } = await way.finish(tools, { ...visit, answer }, signal)
    expect(handle).toBe(`@${user.name}@${new URL(snac.url).host}`)
    expect(profile).toMatchObject({ software: 'snac', canEdit: true, canDelete: false })
    const accountId = toAccountId('account-1')
    const connection = { accountId, handle, credentials, profile, renew: null }
    const { id } = await user.post({ text: 'A post', visibility: 'public' })
    const posts = await mastodon.create(tools).discover({ connection, signal, since: 0 })
    expect(posts.map(({ remoteId }) => remoteId)).toEqual([id])
  })
})

/** Where keys decide is a write that is sent again, so only those faults are tried again. */
const atWrites = ['refuse', 'commit_then_drop', 'commit_then_5xx'] as const

const keyed = {
  'keys are ignored': { keys: 'ignored', faults: liveFaults },
  'a repeat gets the first answer': {
    keys: 'replay',
    keyKeptMs: hourMs,
    faults: [...atWrites, 'commit_then_stall'],
  },
  'a repeat is a server error': {
    keys: 'error_on_duplicate',
    keyKeptMs: hourMs,
    faults: atWrites,
  },
  'all accounts share keys, and errors are kept': { keys: 'global_replay', faults: atWrites },
} as const

describe.each(Object.entries(keyed))('exactly one effect where %s', async (_, options) => {
  const world = await snacExactlyOnce({ snac, ...options })
  it.each(exactlyOnceCases({ ...world, faults: options.faults }))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})
