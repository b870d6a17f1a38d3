/**
 * The engine with the Mastodon connector on the fake server, with some of the faults of the live
 * tests: at most one effect, and proof that two would be noticed.
 */

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hourMs } from '../../src/core/duration.ts'
import { describeServer } from '../../src/platform/mastodon/description.ts'
import type { Profile } from '../../src/platform/mastodon/profile.ts'
import { systemClock } from '../../src/system.ts'
import { exactlyOnceCases } from '../live/exactly-once.ts'
import type { ExactlyOnceOptions, ExactlyOnceWorld } from '../live/exactly-once.ts'
import { FaultProxy, isWrite } from '../live/fault-proxy.ts'
import type { KeyBehaviour } from '../live/fault-proxy.ts'
import { FakeServer, manners } from './mastodon/fake-server.ts'
import { canary, credentialsFor, profileOf } from './mastodon/fake-suite.ts'

const manner = manners.mastodon

function optionsFor(profile: Profile, keys: KeyBehaviour): ExactlyOnceOptions {
  return {
    description: describeServer(profile),
    faults: ['refuse', 'commit_then_drop'],
    open: () => openWorld(profile, keys),
  }
}

async function openWorld(profile: Profile, keys: KeyBehaviour): Promise<ExactlyOnceWorld> {
  const now = () => systemClock.now()
  const server = await FakeServer.start({ manner, now, token: canary })
  const proxy = await FaultProxy.start({ target: server.url, keys })
  const { statuses } = server
  return {
    account: {
      module: join(import.meta.dirname, '../../src/platform/mastodon/index.ts'),
      exported: 'mastodon',
      allowHosts: [new URL(proxy.url).host],
      handle: '@anna@social.example',
      credentials: credentialsFor(proxy.url).reveal(),
      profile,
    },
    publish: async (text) => statuses.add({ status: text }).id,
    countVisible: async (action, id, text) =>
      action === 'edit'
        ? Number(statuses.find(id)?.text === text)
        : statuses.below(id).filter((status) => status.text === text).length,
    arm: (fault, nth) => {
      const armed = proxy.arm({ fault, nth })
      const met = () => armed.request !== null && isWrite(armed.request)
      return Object.assign(armed, { isWrite: met })
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

const trusting = profileOf(manner, { keyKeptMs: hourMs })

describe('exactly one effect', () => {
  it.each(exactlyOnceCases(optionsFor(profileOf(manner), 'ignored')))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})

describe('a second effect is noticed', () => {
  const cases = exactlyOnceCases(optionsFor(trusting, 'ignored'))
  const sentAgain = cases.filter(({ name }) => /^(comment|thread): commit_then_drop/.test(name))

  it.each(sentAgain)('where keys are trusted that are ignored: $name', async (each) => {
    await expect(each.run()).rejects.toThrow('visible 2')
  })
})
