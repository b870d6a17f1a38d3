/**
 * Requests made from the API's own description, whole and spoiled, by everyone who may ask. No
 * input is answered with a defect; only documented statuses are; every answer fits its schema;
 * strangers are told nothing, and a token of one account nothing of another.
 */

import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hourMs } from '../src/core/duration.ts'
import { standardPolicy } from '../src/core/policies/standard.ts'
import type { Clock } from '../src/core/clock.ts'
import type { Trial } from '../src/platform/connector.ts'
import { openPostgresLedger, openSqliteLedger } from '../src/ledger/index.ts'
import type { Ledger } from '../src/ledger/index.ts'
import { goodBody } from './server/good-bodies.ts'
import { arbitraryOf, findMisfits } from './server/json-schema.ts'
import { anySpoil, oddValue, spoil } from './server/mutations.ts'
import type { Spoil } from './server/mutations.ts'
import { fillPath, readDescription } from './server/requests.ts'
import type { Operation } from './server/requests.ts'
import { scratchFolder } from './server/scratch.ts'
import { World } from './server/world.ts'
import { freshDatabase } from './support/postgres.ts'
import type { Answer } from './server/world.ts'

const { operations, schemas } = readDescription(await World.open())

/** Erasing everything at once would leave nothing to ask about. */
const asked = operations.filter(
  ({ method, path }) => `${method} ${path}` !== 'DELETE /api/v1/accounts/{id}',
)

function operationAt(index: number): Operation {
  const operation = asked[index]
  if (operation === undefined) throw new Error(`There is no operation ${index}`)
  return operation
}

const callers = ['nobody', 'read', 'write', 'admin', 'admin', 'admin', 'bobs'] as const

interface Wish {
  /** Its place among those that are asked. */
  readonly index: number
  readonly caller: (typeof callers)[number]
  /** Which of the things that exist it is about; 3 for none, but an odd name. */
  readonly subject: number
  readonly oddName: string
  readonly query: readonly (readonly [string, unknown])[]
  /** What is sent: made from the schema, or known to be good where it is null. */
  readonly body: { readonly made: unknown } | null
  readonly spoil: Spoil | null
  readonly headers: Readonly<Record<string, string>>
}

const ascii = fc.string({ minLength: 1, maxLength: 30 })
const oddHeaders = fc.record(
  {
    'idempotency-key': fc.constantFrom('a', 'b', 'x'.repeat(300)),
    'last-event-id': fc.constantFrom('0', '3:4', 'nonsense'),
    cookie: fc.constantFrom('secondwind=x', '__Host-secondwind=; a=b', '%%%'),
    'content-length': fc.constantFrom('0', '10'),
  },
  { requiredKeys: [] },
)

function wishFor(index: number): fc.Arbitrary<Wish> {
  const operation = operationAt(index)
  const parameters = operation.parameters.filter((each) => each.in === 'query')
  const query = fc.tuple(
    ...parameters.map(({ name, schema }) =>
      fc
        .option(fc.oneof(arbitraryOf(schema, schemas), oddValue), { freq: 2 })
        .map((value) => [name, value] as const),
    ),
  )
  const whole = operation.body === null ? fc.constant(null) : arbitraryOf(operation.body, schemas)
  return fc.record({
    index: fc.constant(index),
    caller: fc.constantFrom(...callers),
    subject: fc.nat(3),
    // Dots alone would make it another path before it is sent.
    oddName: fc
      .oneof(ascii, fc.constantFrom('%2e', '\u0000', 'é', 'a/b', '%'))
      .filter((name) => !/^\.{1,2}$/.test(name)),
    query,
    body: fc.oneof(
      fc.constant(null),
      fc.oneof(whole, whole, oddValue).map((made) => ({ made })),
    ),
    spoil: fc.option(anySpoil, { freq: 1 }),
    headers: oddHeaders,
  })
}

/** Every operation once, in any order. */
const wishes = fc
  .shuffledSubarray([...asked.keys()], { minLength: asked.length })
  .chain((indexes) => fc.tuple(...indexes.map(wishFor)))

const trial: Trial = {
  question: 'whether it works',
  steps: 'It does nothing.',
  run: async () => ({ profile: {}, finding: 'It works.', leftOver: [] }),
}

async function openWorld(): Promise<World> {
  const world = await World.open({ trial, server: { loginTries: 1e6, loginTriesOfAll: 1e6 } })
  world.stage.publish('Words of ann alone.', {}, 'ann')
  world.stage.publish('Words of bob alone.', {}, 'bob')
  await world.pass(3 * hourMs)
  await world.post('/webhooks', { url: 'https://hooks.example/in' })
  return world
}

async function ask(world: World, wish: Wish): Promise<Answer> {
  const { caller, oddName, query } = wish
  const operation = operationAt(wish.index)
  const names = await namesFor(world, wish)
  const path = fillPath(operation.path, { ...names, deliveryId: oddName })
  const search = new URLSearchParams()
  for (const [name, value] of query) {
    for (const each of Array.isArray(value) ? value.slice(0, 60) : [value]) {
      if (each !== null) search.append(name, typeof each === 'string' ? each : JSON.stringify(each))
    }
  }
  const token = await tokenOf(world, caller)
  const body = operation.body === null ? undefined : await bodyOf(world, wish)
  return world.call(operation.method, `${path}?${search.toString()}`, body, {
    token,
    headers: { origin: 'http://localhost', ...wish.headers },
  })
}

/** What stands in the path: something that is there, or an odd name. */
async function namesFor(world: World, { index, subject, oddName }: Wish) {
  const hooks = await world.ledger.listItems('server-webhooks', { after: null, limit: 5 })
  const tokens = await world.ledger.listItems('server-tokens', { after: null, limit: 1 })
  const pools: Readonly<Record<string, readonly string[]>> = {
    posts: (await world.stage.posts()).map(({ id }) => id),
    actions: (await world.stage.actions()).map(({ id }) => id),
    accounts: ['ann', 'bob'],
    policies: ['stage@1', 'standard@1'],
    webhooks: hooks.map(({ id }) => id),
    tokens: tokens.map(({ id }) => id),
    kinds: ['posts', 'samples', 'actions', 'events'],
  }
  const pick = (pool: readonly string[] = []) =>
    subject === 3 ? oddName : (pool[subject % Math.max(1, pool.length)] ?? oddName)
  return {
    id: pick(pools[operationAt(index).path.split('/')[3] ?? '']),
    accountId: pick(pools['accounts']),
    kind: pick(pools['kinds']),
  }
}

/** As it goes over the wire. */
async function bodyOf(world: World, wish: Wish): Promise<string> {
  const accountId = ['ann', 'bob'][wish.subject % 2] ?? 'ann'
  const posts = await world.stage.posts()
  const actions = await world.stage.actions()
  const postId = posts.find((post) => post.accountId === accountId)?.id ?? 'none'
  const names = await namesFor(world, wish)
  const action = actions.find(({ id }) => id === names.id) ?? null
  const subject = { accountId, postId, action }
  const whole =
    wish.body === null ? goodBody(world, operationAt(wish.index), subject) : wish.body.made
  return JSON.stringify(wish.spoil === null ? whole : spoil(whole, wish.spoil)) ?? ''
}

async function tokenOf(world: World, caller: Wish['caller']): Promise<string | null> {
  if (caller === 'nobody') return null
  return caller === 'bobs' ? world.token('admin', [world.bob]) : world.token(caller)
}

/** What is wrong with an answer, if anything. */
function findFaults(world: World, { index, caller }: Wish, answer: Answer): readonly string[] {
  const operation = operationAt(index)
  const { status, text, body, headers } = answer
  const faults: string[] = []
  if (status >= 500) faults.push(`a defect: ${world.logged.at(-1)}`)
  if (!operation.answers.has(status)) faults.push('a status that is not documented')
  const schema = operation.answers.get(status) ?? null
  if (schema !== null && body !== null) faults.push(...findMisfits(body, schema, schemas))
  if (status >= 400 && headers.get('content-type') !== 'application/problem+json') {
    faults.push('a refusal that is no problem document')
  }
  const isStranger = caller === 'nobody' && operation.scope !== null
  if (isStranger && ![401, 403].includes(status)) faults.push('an answer to a stranger')
  if (['nobody', 'bobs'].includes(caller) && /Words of ann|"accountId":"ann"/.test(text)) {
    faults.push('something of another account')
  }
  const about = `${nameAt(index)} as ${caller}: ${status} ${text.slice(0, 300)}`
  return faults.map((fault) => `${fault} in ${about}`)
}

test(
  'whatever is asked, the answer is one that the API promised',
  { timeout: 110_000 },
  async () => {
    const done = new Set<number>()
    await fc.assert(
      fc.asyncProperty(wishes, async (list) => {
        const world = await openWorld()
        for (const wish of list) {
          const answer = await ask(world, wish)
          expect(findFaults(world, wish, answer)).toEqual([])
          if (answer.status < 300) done.add(wish.index)
        }
        // What came in must not break the engine either.
        await world.stage.turn()
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
      }),
      { numRuns: 30, seed: 20_261_117, endOnFailure: true },
    )
    // Nothing was refused every time, but for what needs more luck than there is.
    const never = [...asked.keys()].filter((index) => !done.has(index)).map(nameAt)
    expect(never.filter((name) => !lucky.test(name))).toEqual([])
  },
)

/** They need a secret, the right state, or an id that only an answer tells. */
const lucky =
  /revise|session$|session\/password|setup|finish|undo|retry|attend|redeliver|DELETE .*pauses/

function nameAt(index: number): string {
  const { method, path } = operationAt(index)
  return `${method} ${path}`
}

const stores = {
  'a file': (clock: Clock) => openSqliteLedger({ path: join(scratchFolder(), 'ledger.db'), clock }),
  'a Postgres': async (clock: Clock) =>
    openPostgresLedger({ connectionString: await freshDatabase(), clock }),
} as const

test.each(Object.entries(stores))(
  'the same holds on a ledger in %s',
  { timeout: 110_000 },
  async (_, open) => {
    const first = await openWorld()
    await using ledger = await open(first.stage.clock)
    await fc.assert(
      fc.asyncProperty(wishes, async (list) => {
        const world = await openWorld()
        await copyTo(ledger, world)
        world.serveFrom(ledger)
        for (const wish of list) {
          expect(findFaults(world, wish, await ask(world, wish))).toEqual([])
        }
      }),
      { numRuns: 30, seed: 20_261_117, endOnFailure: true },
    )
  },
)

/** Accounts, posts and readings; what was planned stays behind. */
async function copyTo(ledger: Ledger, { stage }: World): Promise<void> {
  await ledger.savePolicy(stage.policy)
  await ledger.savePolicy(standardPolicy)
  for (const account of await stage.ledger.listAccounts()) await ledger.saveAccount(account)
  const posts = await stage.posts()
  await ledger.trackPosts(posts)
  for (const { id: postId } of posts) {
    const samples = await stage.ledger.listSamples(postId)
    await ledger.recordSamples(samples.map((sample) => ({ postId, sample })))
  }
}

test('every operation is answered well at least once when it is asked rightly', async () => {
  const world = await openWorld()
  const seen = new Set<string>()
  for (const [index, { method, path }] of asked.entries()) {
    if (method !== 'GET') continue
    const nothing = { query: [], body: null, spoil: null, headers: {} }
    const wish: Wish = { index, caller: 'admin', subject: 0, oddName: 'x', ...nothing }
    const answer = await ask(world, wish)
    expect(findFaults(world, wish, answer)).toEqual([])
    if (answer.status === 200) seen.add(path)
  }
  const missing = asked.filter(({ method, path }) => method === 'GET' && !seen.has(path))
  expect(missing.map(({ path }) => path)).toEqual([])
})
