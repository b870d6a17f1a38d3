/** Tries the cases on probing out on connectors that are wrong in one way each. */

import { expect, it } from 'vitest'
import type { Json } from '../../core/json.ts'
import type { Platform, Probed } from '../../platform/platform.ts'
import { probeCases } from './probe-cases.ts'
import { simulatedSuite } from './simulated-suite.ts'

type Break = (platform: Platform) => Partial<Platform>

function withProbed(change: (probed: Probed) => Probed): Break {
  return (platform) => ({ probe: async (options) => change(await platform.probe(options)) })
}

let visits = 0

const mistakes: readonly (readonly [what: string, broken: Break, noticedBy: string])[] = [
  [
    'has no name for the account',
    withProbed((probed) => ({ ...probed, handle: ' ' })),
    'probe: says who the account is, and the same when asked again',
  ],
  [
    'has another name each time',
    withProbed((probed) => ({ ...probed, handle: String((visits += 1)) })),
    'probe: says who the account is, and the same when asked again',
  ],
  [
    'tries the account out with a post',
    (platform) => ({
      probe: async (options) => {
        const [post] = await platform.discover({ ...options, since: 0 })
        if (post === undefined) return platform.probe(options)
        const { remoteId, text, contentVersion } = post
        const target = { remoteId, text, contentVersion }
        const write = { action: 'comment', texts: ['Test'], segment: 0, previous: [] } as const
        const key = 'sheal_test' as Parameters<Platform['commit']>[0]['key']
        const request = { ...write, key, target, preparedAt: post.publishedAt }
        const prepared = await platform.prepare({ ...options, request })
        if (prepared.kind === 'ready') {
          await platform.commit({ ...options, key, token: prepared.token })
        }
        return platform.probe(options)
      },
    }),
    'probe: changes nothing that can be seen',
  ],
  [
    'finds what JSON cannot hold',
    withProbed((probed) => ({ ...probed, profile: { at: new Date(0) as unknown as Json } })),
    'probe: finds what can be stored',
  ],
  [
    'describes nonsense from what it found',
    (platform) => ({
      describe: (connection) => ({
        ...platform.describe(connection),
        observeBatch: connection.profile === null ? 100 : 0,
      }),
    }),
    'probe: finds what can be described',
  ],
  [
    'goes on when it is given up',
    (platform) => ({
      probe: (options) => platform.probe({ ...options, signal: new AbortController().signal }),
    }),
    'probe: ends when it is given up',
  ],
  [
    'puts the credentials into the profile',
    (platform) => ({
      probe: async (options) => {
        const token = options.connection.credentials?.reveal() ?? null
        return { ...(await platform.probe(options)), profile: { token } }
      },
    }),
    'probe: finds what can be stored',
  ],
  [
    'does not try the credentials',
    () => ({ probe: async () => ({ handle: 'anna', profile: null }) }),
    'probe: says that credentials are not accepted, without repeating them',
  ],
]

async function failuresWith(broken: Break): Promise<readonly string[]> {
  const wrap = (platform: Platform): Platform =>
    Object.assign(Object.create(platform) as Platform, boundTo(platform), broken(platform))
  const suite = simulatedSuite({ profile: 'full', over: 'process', seed: 'probe', wrap })
  const failed: string[] = []
  for (const each of probeCases(suite)) await each.run().catch(() => failed.push(each.name))
  return failed
}

/** Private fields are reached only through the object itself. */
function boundTo(platform: Platform): Partial<Platform> {
  return {
    describe: (connection) => platform.describe(connection),
    probe: (options) => platform.probe(options),
    discover: (options) => platform.discover(options),
    observe: (options) => platform.observe(options),
    prepare: (options) => platform.prepare(options),
    commit: (request) => platform.commit(request),
    classify: (error, call, now) => platform.classify(error, call, now),
  }
}

it.each(mistakes)('notices a connector that %s', async (_, broken, noticedBy) => {
  expect(await failuresWith(broken)).toContain(noticedBy)
})

it('finds nothing wrong with one that probes as it should', async () => {
  expect(await failuresWith(() => ({}))).toEqual([])
})
