/** Tries the suite out on connectors that are wrong in one way each: it has to notice every one. */

import { describe, expect, it } from 'vitest'
import { Secret } from '../core/secret.ts'
import type { Json } from '../core/json.ts'
import type { Landed, Observation, Platform, Preparation } from '../platform/platform.ts'
import type { ProfileName } from '../platform/simulated/profiles.ts'
import { platformCases, simulatedSuite } from './platform-conformance.ts'
import type { PlatformSuite } from './platform-conformance.ts'

type Break = (platform: Platform) => Partial<Platform>

interface Mistake {
  readonly what: string
  readonly profile: ProfileName
  readonly broken: Break
  /** A case that has to fail; others may fail as well. */
  readonly noticedBy: string
}

const never: Landed = {
  remoteId: 'nowhere',
  url: null,
  remoteIds: ['nowhere'],
  postRemoteId: null,
  contentVersion: null,
}

/** Changes what a token holds, as if the connector had prepared it that way. */
function withToken(change: (token: Record<string, Json>) => Json): Break {
  return (platform) => ({
    prepare: async (options) => {
      const preparation = await platform.prepare(options)
      if (preparation.kind !== 'ready') return preparation
      return { kind: 'ready', token: change(preparation.token as Record<string, Json>) }
    },
  })
}

function withObservations(change: (each: Observation) => readonly Observation[]): Break {
  return (platform) => ({
    observe: async (options) => (await platform.observe(options)).flatMap(change),
  })
}

const sendingMistakes: readonly Mistake[] = [
  {
    what: 'sends again by itself when no answer came',
    profile: 'full',
    broken: (platform) => ({
      commit: (request) => platform.commit(request).catch(() => platform.commit(request)),
    }),
    noticedBy: 'faulty comment: lost_answer: what is said and found afterwards is true',
  },
  {
    what: 'sends twice',
    profile: 'full',
    broken: (platform) => ({
      commit: async (request) => {
        await platform.commit(request)
        return platform.commit(request)
      },
    }),
    noticedBy: 'write comment: has exactly one visible effect, on the post that was meant',
  },
  {
    what: 'sends while it prepares',
    profile: 'telegram',
    broken: (platform) => ({
      prepare: async (options) => {
        const preparation = await platform.prepare(options)
        if (preparation.kind !== 'ready') return preparation
        const { token } = preparation
        await platform.commit({ ...options, key: options.request.key, token })
        return preparation
      },
    }),
    noticedBy: 'prepare comment: makes nothing visible, however often it is done',
  },
  {
    what: 'cuts a text that is too long',
    profile: 'nostr',
    broken: (platform) => ({
      prepare: (options) => {
        const texts = options.request.texts.map((text) => text.slice(0, 5000))
        return platform.prepare({ ...options, request: { ...options.request, texts } })
      },
    }),
    noticedBy: 'prepare comment: refuses a longer one, and names the limit',
  },
  {
    what: 'changes the text',
    profile: 'gotosocial',
    broken: withToken((token) => ({ ...token, texts: ['Something else'] })),
    noticedBy: 'write comment: says what became visible',
  },
  {
    what: 'keeps in its token what JSON cannot hold',
    profile: 'mastodon',
    broken: withToken((token) => ({ ...token, at: new Date(0) as unknown as Json })),
    noticedBy: 'write comment: says what became visible',
  },
  {
    what: 'lets everyone read a reply to a post for few',
    profile: 'mastodon',
    broken: withToken((token) =>
      token['kind'] === 'reply' ? { ...token, audience: 'public' } : token,
    ),
    noticedBy: 'comment: is seen by no more people than the post',
  },
  {
    what: 'hangs every post of a thread below the first',
    profile: 'full',
    broken: (platform) => ({
      prepare: (options) => {
        const { previous } = options.request
        const root = { ...never, remoteIds: [options.request.target.remoteId] }
        const request = { ...options.request, previous: previous.map(() => root) }
        return platform.prepare({ ...options, request })
      },
    }),
    noticedBy: 'thread: hangs each post below the one before, with its own text',
  },
  {
    what: 'writes a thread the wrong way round',
    profile: 'bluesky',
    broken: (platform) => ({
      prepare: (options) => {
        const texts = options.request.texts.toReversed()
        return platform.prepare({ ...options, request: { ...options.request, texts } })
      },
    }),
    noticedBy: 'thread: hangs each post below the one before, with its own text',
  },
  {
    what: 'takes nothing back',
    profile: 'nostr',
    broken: () => ({ undo: async () => {} }),
    noticedBy: 'write comment: is gone when it was taken back, and nothing else is',
  },
]

const editingMistakes: readonly Mistake[] = [
  {
    what: 'drops the pictures of a post that it edits',
    profile: 'mastodon',
    broken: withToken((token) =>
      token['kind'] === 'edit'
        ? { ...token, extras: { media: [], warning: null, language: null } }
        : token,
    ),
    noticedBy: 'edit: changes the text and keeps all else',
  },
  {
    what: 'prepares an edit over what the owner wrote',
    profile: 'x',
    broken: (platform) => ({
      prepare: async (options) => {
        const { remoteId } = options.request.target
        const [now] = await platform.observe({ ...options, remoteIds: [remoteId] })
        if (now?.kind !== 'live') return platform.prepare(options)
        const { text, contentVersion } = now
        const target = { remoteId, text, contentVersion }
        return platform.prepare({ ...options, request: { ...options.request, target } })
      },
    }),
    noticedBy: 'edit: is not prepared where the owner changed the post',
  },
  {
    what: 'sends an edit over what the owner wrote',
    profile: 'mastodon',
    broken: (platform) => ({
      commit: async (request) => {
        const token = request.token as Record<string, Json>
        if (token['kind'] !== 'edit') return platform.commit(request)
        const [now] = await platform.observe({ ...request, remoteIds: [token['id'] as string] })
        const version = now?.kind === 'live' ? now.contentVersion : null
        return platform.commit({ ...request, token: { ...token, baseVersion: version } })
      },
    }),
    noticedBy: 'edit: is not sent where the owner changed the post since',
  },
]

const tellingMistakes: readonly Mistake[] = [
  {
    what: 'never finds anything',
    profile: 'full',
    broken: () => ({ locate: async () => ({ kind: 'not_found' }) }),
    noticedBy: 'write comment: is found once it is visible',
  },
  {
    what: 'finds everything',
    profile: 'full',
    broken: () => ({ locate: async () => ({ kind: 'found', landed: never }) }),
    noticedBy: 'write comment: is not found where it was never sent',
  },
  {
    what: 'claims to know what cannot be read',
    profile: 'telegram',
    broken: () => ({ locate: async () => ({ kind: 'not_found' }) }),
    noticedBy: 'write comment: never claims to know whether it landed',
  },
  {
    what: 'takes a server error for a refusal',
    profile: 'nostr',
    broken: (platform) => ({
      classify: (error, call, now) => {
        const fault = platform.classify(error, call, now)
        return fault.code === 'service_unavailable' ? { ...fault, landed: 'no' } : fault
      },
    }),
    noticedBy: 'faulty comment: server_error_after: what is said and found afterwards is true',
  },
  {
    what: 'takes a timeout for a refusal',
    profile: 'full',
    broken: (platform) => ({
      classify: (error, call, now) => {
        const fault = platform.classify(error, call, now)
        return fault.code === 'timeout' ? { ...fault, landed: 'no' } : fault
      },
    }),
    noticedBy: 'classify: takes a write that was given up for unknown',
  },
  {
    what: 'doubts everything',
    profile: 'full',
    broken: (platform) => ({
      classify: (error, call, now) => ({
        ...platform.classify(error, call, now),
        landed: 'unknown',
      }),
    }),
    noticedBy: 'faulty comment: rate_limited: what is said and found afterwards is true',
  },
  {
    what: 'forgets when to come back',
    profile: 'full',
    broken: (platform) => ({
      classify: (error, call, now) => ({ ...platform.classify(error, call, now), retryAt: null }),
    }),
    noticedBy: 'faulty edit: rate_limited: what is said and found afterwards is true',
  },
  {
    what: 'prints the credentials in an error',
    profile: 'full',
    broken: (platform) => ({
      commit: (request) =>
        platform.commit(request).catch((cause: unknown) => {
          const secret = request.connection.credentials?.reveal()
          throw Object.assign(new Error('Failed', { cause }), { headers: { secret } })
        }),
    }),
    noticedBy: 'faulty comment: lost_answer: what is said and found afterwards is true',
  },
  {
    what: 'repeats credentials that were not accepted',
    profile: 'full',
    broken: (platform) => ({
      observe: (options) =>
        platform.observe(options).catch((cause: unknown) => {
          throw new Error(`Not accepted: ${options.connection.credentials?.reveal()}`, { cause })
        }),
    }),
    noticedBy: 'observe: says that credentials are not accepted, without repeating them',
  },
]

const readingMistakes: readonly Mistake[] = [
  {
    what: 'shows 0 impressions where there are none',
    profile: 'mastodon',
    broken: withObservations((each) =>
      each.kind === 'live' ? [{ ...each, sample: { ...each.sample, impressions: 0 } }] : [each],
    ),
    noticedBy: 'observe: gives impressions where there are some, and never 0 for none',
  },
  {
    what: 'leaves deleted posts out',
    profile: 'full',
    broken: withObservations((each) => (each.kind === 'deleted' ? [] : [each])),
    noticedBy: 'observe: tells a deleted post from those that are there',
  },
  {
    what: 'takes a hidden post for a deleted one',
    profile: 'full',
    broken: withObservations(({ remoteId, ...each }) =>
      each.kind === 'restricted' ? [{ kind: 'deleted', remoteId }] : [{ remoteId, ...each }],
    ),
    noticedBy: 'observe: tells a hidden post from a deleted one',
  },
  {
    what: 'counts engagements on its own',
    profile: 'full',
    broken: withObservations((each) =>
      each.kind === 'live' ? [{ ...each, sample: { ...each.sample, engagements: 1 } }] : [each],
    ),
    noticedBy: 'observe: gives counters that the description names, none negative, and their sum',
  },
  {
    what: 'goes on reading when it is given up',
    profile: 'full',
    broken: (platform) => ({
      observe: (options) => platform.observe({ ...options, signal: new AbortController().signal }),
    }),
    noticedBy: 'observe: ends when it is given up',
  },
  {
    what: 'takes replies for posts',
    profile: 'full',
    broken: (platform) => ({
      discover: async (options) => {
        const posts = await platform.discover(options)
        const remoteIds = posts.map(({ remoteId }) => remoteId)
        const seen = await platform.observe({ ...options, remoteIds })
        const replies = seen.flatMap((each) => (each.kind === 'live' ? each.ownReplies : []))
        const asPost = (remoteId: string) => ({ ...posts[0], remoteId }) as (typeof posts)[number]
        return [...posts, ...replies.map(({ remoteId }) => asPost(remoteId))]
      },
    }),
    noticedBy: 'discover: does not take replies for posts',
  },
  {
    what: 'says less of itself without credentials',
    profile: 'full',
    broken: (platform) => ({
      describe: (connection) => ({
        ...platform.describe(connection),
        observeBatch: connection.credentials instanceof Secret ? 100 : 1,
      }),
    }),
    noticedBy: 'describe: says the same each time, and without credentials',
  },
]

const mistakes = [...sendingMistakes, ...editingMistakes, ...tellingMistakes, ...readingMistakes]

function suiteWith(profile: ProfileName, broken: Break): PlatformSuite {
  const wrap = (platform: Platform): Platform => ({ ...bound(platform), ...broken(platform) })
  return simulatedSuite({ profile, over: 'process', seed: 'mistakes', wrap })
}

/** A connector may be a class; its methods have to be taken one by one. */
function bound(platform: Platform): Platform {
  return {
    name: platform.name,
    describe: (connection) => platform.describe(connection),
    probe: (options) => platform.probe(options),
    discover: (options) => platform.discover(options),
    observe: (options) => platform.observe(options),
    prepare: (options): Promise<Preparation> => platform.prepare(options),
    commit: (request) => platform.commit(request),
    locate: (request) => platform.locate(request),
    undo: (options) => platform.undo(options),
    classify: (error, call, now) => platform.classify(error, call, now),
  }
}

async function failures(suite: PlatformSuite): Promise<readonly string[]> {
  const failed: string[] = []
  for (const each of platformCases(suite)) await each.run().catch(() => failed.push(each.name))
  return failed
}

describe('the conformance suite of connectors', () => {
  it.each(mistakes)('notices a connector that $what', async ({ profile, broken, noticedBy }) => {
    expect(await failures(suiteWith(profile, broken))).toContain(noticedBy)
  })

  it('notices a network that is said to recognise repeats and does not', async () => {
    const suite = suiteWith('full', (platform) => ({
      describe: (connection) => pretending(platform.describe(connection)),
    }))
    const failed = await failures({ ...suite, description: pretending(suite.description) })
    expect(failed).toContain('write comment: sent twice, it is there once')
    expect(failed).toContain('faulty comment: late_apply: sent again, it is there once')
  })

  it('finds nothing wrong with a connector that is only wrapped', async () => {
    expect(await failures(suiteWith('full', () => ({})))).toEqual([])
  })
})

function pretending(description: PlatformSuite['description']): PlatformSuite['description'] {
  const comment = { supported: true, writeClass: 'A', withinMs: null } as const
  return { ...description, actions: { ...description.actions, comment } }
}
