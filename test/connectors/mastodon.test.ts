/** What the Mastodon connector does that the conformance suite does not ask. */

import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../src/core/duration.ts'
import type { TrialResult } from '../../src/platform/connector.ts'
import { mastodon as connector } from '../../src/platform/mastodon/index.ts'
import { isWrite } from '../live/fault-proxy.ts'
import { manners } from './mastodon/fake-server.ts'
import { openFake, profileOf } from './mastodon/fake-suite.ts'
import type { FakeWorld } from './mastodon/fake-suite.ts'
import { callOptions, faultOf, observeOne, prepareWrite, readyWrite } from './writes.ts'

describe('a probe', () => {
  it.each([
    ['Mastodon', manners.mastodon, { software: 'mastodon', canEdit: true, canReadMany: true }],
    ['an old Mastodon', manners.oldMastodon, { canEdit: false, canReadMany: false }],
    ['GoToSocial', manners.gotosocial, { software: 'gotosocial', canEdit: true }],
    ['Pleroma, by the version it plays', manners.pleroma, { software: 'pleroma', canEdit: true }],
    [
      'a Pleroma that does not edit',
      { ...manners.pleroma, features: ['pleroma_api'] },
      { canEdit: false },
    ],
    ['a program nobody knows', { ...manners.gotosocial, name: 'other' }, { canEdit: false }],
  ])('tells what %s can do', async (_, manner, expected) => {
    await using world = await openFake({ manner })
    const options = callOptions({ connection: { ...world.connection, profile: null } })
    const { handle, profile } = await world.platform.probe(options)
    expect(handle).toBe('@anna@social.example')
    expect(profile).toMatchObject({ maximumCharacters: 500, charactersPerUrl: 23, ...expected })
    expect(profile).toMatchObject({ keyKeptMs: null })
  })

  it('sends the token to the server only, wherever its links lead', async () => {
    await using world = await openFake()
    await world.platform.probe(callOptions(world))
    expect(world.server.requests).toContain('GET /nodeinfo/2.0')
  })

  it('keeps what was proven of a version, and forgets it with the next', async () => {
    const { mastodon } = manners
    const proven = profileOf(mastodon, { keyKeptMs: hourMs })
    await using same = await openFake({ profile: proven })
    const kept = await same.platform.probe(callOptions(same))
    expect(kept.profile).toMatchObject({ keyKeptMs: hourMs })
    const manner = { ...mastodon, version: '4.6.0' }
    await using newer = await openFake({ manner, profile: proven })
    const forgotten = await newer.platform.probe(callOptions(newer))
    expect(forgotten.profile).toMatchObject({ version: '4.6.0', keyKeptMs: null })
  })

  it('offers nothing before the first', async () => {
    await using world = await openFake()
    const { actions } = world.platform.describe({ ...world.connection, profile: null })
    expect(Object.values(actions).map(({ supported }) => supported)).toEqual([false, false, false])
  })
})

describe('the trial of keys', () => {
  const tryOut = async (world: FakeWorld): Promise<TrialResult> => {
    if (connector.trial === undefined) throw new Error('There is no trial')
    return connector.trial.run(world.tools, callOptions(world))
  }

  it.each([
    ['replay', hourMs, 'class A now'],
    ['ignored', null, 'stay class B'],
    ['error_on_duplicate', null, 'stay class B'],
  ] as const)('finds out what becomes of a repeat: %s', async (keys, keyKeptMs, words) => {
    await using world = await openFake({ keys })
    const { profile, finding, leftOver } = await tryOut(world)
    expect(profile).toEqual(profileOf(manners.mastodon, { keyKeptMs }))
    expect(finding).toContain(words)
    expect(leftOver).toEqual([])
    expect(world.server.statuses.count).toBe(0)
  })

  it('leaves nothing behind on a server that does not list messages', async () => {
    const manner = { ...manners.mastodon, listsMessages: false }
    await using world = await openFake({ manner, keys: 'ignored' })
    await tryOut(world)
    expect(world.server.statuses.count).toBe(0)
  })

  it('is not made where nothing can be deleted', async () => {
    const profile = profileOf(manners.mastodon, { canDelete: false })
    await using world = await openFake({ profile })
    const tried = await tryOut(world)
    expect(tried.profile).toEqual(profile)
    expect(tried.finding).toContain('nothing was tried')
    expect(world.proxy.requests.filter(isWrite)).toEqual([])
  })

  it('shows nobody what it posts', async () => {
    await using world = await openFake({ keys: 'ignored' })
    await tryOut(world)
    const bodies = world.proxy.requests.filter(isWrite).map(({ body }) => body.toString())
    const posts = bodies.filter((body) => body !== '')
    expect(posts.length).toBeGreaterThan(1)
    for (const body of posts) expect(JSON.parse(body)).toMatchObject({ visibility: 'direct' })
  })

  it('says what it could not remove', async () => {
    await using world = await openFake({ keys: 'ignored' })
    world.proxy.arm({ fault: { status: 500 }, matches: ({ method }) => method === 'DELETE' })
    const { leftOver } = await tryOut(world)
    expect(leftOver).toHaveLength(1)
    expect(world.server.statuses.count).toBe(1)
    expect(world.server.statuses.find(leftOver[0] ?? '')).not.toBeNull()
  })

  it('finds nothing where not even the first post is taken, and leaves none behind', async () => {
    await using world = await openFake()
    world.proxy.arm({ fault: 'commit_then_5xx', matches: isWrite })
    await expect(tryOut(world)).rejects.toThrow('answered 5')
    expect(world.server.statuses.count).toBe(0)
  })
})

describe('reading', () => {
  it('asks for many posts at once, and alone for each that is missing', async () => {
    await using world = await openFake()
    const { statuses } = world.server
    const ids = ['One', 'Two', 'Three'].map((status) => statuses.add({ status }).id)
    statuses.remove(ids[1] ?? '')
    world.server.requests.length = 0
    const found = await world.platform.observe({ ...callOptions(world), remoteIds: ids })
    expect(found.map(({ kind }) => kind)).toEqual(['live', 'deleted', 'live'])
    const asked = world.server.requests.filter((line) => line.includes('/statuses'))
    expect(asked).toHaveLength(3)
  })

  it('leaves a counter out that the server does not give', async () => {
    await using world = await openFake({ manner: manners.gotosocial })
    const post = world.server.statuses.add({ status: 'A post' })
    const seen = await observeOne(world, post.id)
    const interactions = seen.kind === 'live' ? seen.sample.interactions : undefined
    expect(interactions).toEqual({ replies: 0, reposts: 0, likes: 0 })
  })

  it('turns pages until the time that was asked for', async () => {
    await using world = await openFake()
    const since = world.clock.now()
    for (let count = 0; count < 90; count += 1) {
      world.server.statuses.add({ status: `Post ${count}` })
      await world.clock.advance(1)
    }
    const posts = await world.platform.discover({ ...callOptions(world), since })
    expect(posts).toHaveLength(90)
    expect(posts[0]?.text).toBe('Post 89')
  })

  it('ends on a server that does not turn pages', async () => {
    const manner = { ...manners.gotosocial, pagesTurn: false }
    await using world = await openFake({ manner })
    world.server.statuses.add({ status: 'A post' })
    const posts = await world.platform.discover({ ...callOptions(world), since: 0 })
    expect(posts).toHaveLength(1)
  })

  it('does not take a message to someone for a post', async () => {
    await using world = await openFake()
    world.server.statuses.add({ status: 'Only for you', visibility: 'direct' })
    expect(await world.platform.discover({ ...callOptions(world), since: 0 })).toEqual([])
  })

  it('gives mentions with the server that the page leaves out', async () => {
    await using world = await openFake()
    const text = 'With @ben@other.example & friends, https://example.com/a/very/long/way/to/go'
    const post = world.server.statuses.add({ status: text })
    expect(await observeOne(world, post.id)).toMatchObject({ text })
  })
})

describe('a reply', () => {
  it('has the warning, the language and the reach of its post', async () => {
    await using world = await openFake()
    const { statuses } = world.server
    const post = statuses.add({
      status: 'A post',
      visibility: 'unlisted',
      spoiler_text: 'Food',
      language: 'de',
    })
    await world.platform.commit(await readyWrite(world, 'comment', post.id, 'And you?'))
    const [reply] = statuses.repliesTo(post.id)
    const expected = { visibility: 'unlisted', spoilerText: 'Food', language: 'de' }
    expect(reply).toMatchObject(expected)
  })

  it('counts the warning with the text', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post', spoiler_text: 'Food' })
    const prepared = await prepareWrite(world, 'comment', post.id, 'x'.repeat(497))
    expect(prepared).toMatchObject({ kind: 'refused', fault: { code: 'invalid' } })
  })

  it('is not taken for one that said the same before', async () => {
    await using world = await openFake()
    const { statuses } = world.server
    const post = statuses.add({ status: 'A post' })
    statuses.add({ status: 'And you?', in_reply_to_id: post.id })
    await world.clock.advance(minuteMs)
    const write = await readyWrite(world, 'comment', post.id, 'And you?')
    expect(await world.platform.locate(write)).toEqual({ kind: 'not_found' })
  })

  it('goes out under a fresh key where errors are kept under one', async () => {
    const manner = manners.pleroma
    await using world = await openFake({
      manner,
      keys: 'global_replay',
      profile: profileOf(manner),
    })
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'And you?')
    world.proxy.arm({ fault: { status: 429 }, matches: isWrite })
    await faultOf(world, world.platform.commit(write), 'write')
    await world.platform.commit(write)
    const keys = world.proxy.requests
      .filter(isWrite)
      .map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(2)
  })

  it('has the same key each time elsewhere, made of the action’s', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'And you?')
    await world.platform.commit(write)
    await world.platform.commit(write)
    const keys = world.proxy.requests
      .filter(isWrite)
      .map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([`${write.key}:0`, `${write.key}:0`])
    expect(world.server.statuses.repliesTo(post.id)).toHaveLength(1)
  })
})

describe('an edit', () => {
  const poll = { options: ['Yes', 'No'], expires_in: 3600, multiple: true, hide_totals: true }

  it('keeps the poll, its end and what it hides', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post', poll, spoiler_text: 'Food' })
    const before = { ...post.poll }
    await world.clock.advance(10 * minuteMs)
    await world.platform.commit(await readyWrite(world, 'edit', post.id, 'Another text'))
    expect(post).toMatchObject({ text: 'Another text', poll: before, spoilerText: 'Food' })
  })

  it('is refused where the poll is over, which it would open again', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post', poll })
    await world.clock.advance(2 * hourMs)
    const prepared = await prepareWrite(world, 'edit', post.id, 'Another text')
    expect(prepared).toMatchObject({ kind: 'refused', fault: { code: 'unsupported' } })
  })

  it('is refused where it would change nothing', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const prepared = await prepareWrite(world, 'edit', post.id, ' A  post ')
    expect(prepared).toMatchObject({ kind: 'refused', fault: { code: 'invalid' } })
  })

  it('is not sent again where it stands there already', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'edit', post.id, 'Another text')
    const landed = await world.platform.commit(write)
    expect(await world.platform.commit(write)).toEqual(landed)
    expect(post.edits).toBe(1)
  })
})
