/** What must be true of the shelf: versions decide who wins, time takes away, one owner a lease. */

import assert from 'node:assert/strict'
import { InputError } from '../../core/input-error.ts'
import type { Json } from '../../core/json.ts'
import type { Ledger, ShelfItem } from '../../ledger/index.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import type { World } from './world.ts'

/** The item that must be there. */
async function item({ ledger }: World, id: string, collection = 'notes'): Promise<ShelfItem> {
  const found = await ledger.getItem(collection, id)
  assert.ok(found, `${id} is not there`)
  return found
}

async function put(ledger: Ledger, id: string, value: Json, expected: number | null = null) {
  return ledger.putItem('notes', id, value, expected)
}

export const shelfCases = casesOf('the shelf', {
  'an item is kept as it was given, in its collection': async (world) => {
    const value = { list: [1, 0.25, null, 'a\\"b'], nested: { on: true } }
    assert.equal(await put(world.ledger, 'one', value), true)
    assert.equal(await world.ledger.putItem('other', 'one', null, null), true)
    await world.harness.reopen()
    const { id, value: stored } = await item(world, 'one')
    assert.deepEqual({ id, stored }, { id: 'one', stored: value })
    assert.equal((await item(world, 'one', 'other')).value, null)
    assert.equal(await world.ledger.getItem('notes', 'two'), null)
  },

  'only who has seen the last version can change it': async (world) => {
    const { ledger } = world
    assert.equal(await put(ledger, 'one', 'a'), true)
    const { version } = await item(world, 'one')
    assert.equal(await put(ledger, 'one', 'b'), false)
    assert.equal(await put(ledger, 'one', 'b', version + 1), false)
    assert.equal(await put(ledger, 'one', 'b', version), true)
    assert.equal(await put(ledger, 'one', 'c', version), false)
    assert.equal(await put(ledger, 'two', 'c', version), false)
    assert.equal((await item(world, 'one')).value, 'b')
    assert.equal(await ledger.getItem('notes', 'two'), null)
  },

  'an item that is deleted and put again has a version nobody has seen': async (world) => {
    const { ledger } = world
    const seen = new Set<number>()
    for (let turn = 0; turn < 3; turn += 1) {
      assert.equal(await put(ledger, 'one', turn), true)
      const { version } = await item(world, 'one')
      assert.equal(seen.has(version), false)
      seen.add(version)
      assert.equal(await ledger.deleteItem('notes', 'one', version + 1), false)
      assert.equal(await ledger.deleteItem('notes', 'one', version), true)
      assert.equal(await ledger.getItem('notes', 'one'), null)
      assert.equal(await put(ledger, 'one', 'late', version), false)
    }
    assert.equal(await ledger.deleteItem('notes', 'one'), false)
    await put(ledger, 'one', 'last')
    assert.equal(await ledger.deleteItem('notes', 'one'), true)
  },

  'of many that put at once one succeeds': async (world) => {
    const { ledger: other } = await world.harness.second()
    const ledgers = [world.ledger, other, world.ledger, other]
    const first = await Promise.all(ledgers.map((ledger, by) => put(ledger, 'one', by)))
    assert.equal(first.filter(Boolean).length, 1)
    const { value, version } = await item(world, 'one')
    assert.equal(value, first.indexOf(true))
    const next = await Promise.all(ledgers.map((ledger, by) => put(ledger, 'one', by, version)))
    assert.equal(next.filter(Boolean).length, 1)
    assert.equal((await item(world, 'one')).value, next.indexOf(true))
  },

  'items are listed in the order of their ids, in pages': async (world) => {
    const ids = ['b', 'a', 'ä', 'B', 'a-1', '10', '9', '👋']
    for (const id of ids) await put(world.ledger, id, id)
    await world.ledger.putItem('other', 'a', 1, null)
    const listed: string[] = []
    for (let after: string | null = null, turn = 0; turn < 9; turn += 1) {
      const page: readonly ShelfItem[] = await world.ledger.listItems('notes', { after, limit: 3 })
      listed.push(...page.map(({ id }) => id))
      after = page.at(-1)?.id ?? after
    }
    assert.deepEqual(listed, ids.toSorted())
  },

  'an item whose time is over is as good as absent': async (world) => {
    const { ledger } = world
    assert.equal(await ledger.putItem('notes', 'one', 1, null, noon + 10), true)
    await put(ledger, 'two', 2)
    const { version } = await item(world, 'one')
    world.clock.advance(9)
    assert.equal((await item(world, 'one')).value, 1)
    world.clock.advance(1)
    assert.equal(await ledger.getItem('notes', 'one'), null)
    assert.equal(await ledger.deleteItem('notes', 'one'), false)
    assert.equal(await put(ledger, 'one', 'late', version), false)
    const page = { after: null, limit: 9 }
    const idsOf = async () => (await ledger.listItems('notes', page)).map(({ id }) => id)
    assert.deepEqual(await idsOf(), ['two'])
    assert.equal(await put(ledger, 'one', 'new'), true)
    assert.deepEqual(await idsOf(), ['one', 'two'])
    world.clock.advance(1000)
    assert.deepEqual(await idsOf(), ['one', 'two'])
  },

  'a change decides anew how long an item stays': async (world) => {
    const { ledger } = world
    await ledger.putItem('notes', 'one', 1, null, noon + 10)
    await ledger.putItem('notes', 'one', 2, (await item(world, 'one')).version, noon + 20)
    world.clock.advance(10)
    assert.equal((await item(world, 'one')).value, 2)
    await ledger.putItem('notes', 'one', 3, (await item(world, 'one')).version)
    world.clock.advance(1000)
    assert.equal((await item(world, 'one')).value, 3)
  },

  'what is over is swept away, a limited number at a time': async (world) => {
    const { ledger } = world
    for (const id of ['a', 'b', 'c']) await ledger.putItem('notes', id, 1, null, noon + 1)
    await ledger.putItem('notes', 'd', 1, null, noon + 2)
    await put(ledger, 'e', 1)
    assert.equal(await ledger.sweepItems(9), 0)
    world.clock.advance(1)
    assert.equal(await ledger.sweepItems(2), 2)
    assert.equal(await ledger.sweepItems(2), 1)
    world.clock.advance(1)
    assert.deepEqual(await ledger.expire(9, 0), [])
    assert.equal(await ledger.sweepItems(9), 0)
    assert.equal((await item(world, 'e')).value, 1)
  },

  'a lease is held by one owner, who can renew and release it': async (world) => {
    const { ledger } = world
    assert.equal(await ledger.takeLease('sweeper', 'a', 100), true)
    assert.equal(await ledger.takeLease('sweeper', 'b', 100), false)
    assert.equal(await ledger.takeLease('other', 'b', 100), true)
    world.clock.advance(99)
    assert.equal(await ledger.takeLease('sweeper', 'a', 100), true)
    world.clock.advance(99)
    assert.equal(await ledger.takeLease('sweeper', 'b', 100), false)
    assert.equal(await ledger.releaseLease('sweeper', 'b'), false)
    assert.equal(await ledger.releaseLease('sweeper', 'a'), true)
    assert.equal(await ledger.releaseLease('sweeper', 'a'), false)
    assert.equal(await ledger.takeLease('sweeper', 'b', 100), true)
  },

  'a lease that ran out is taken over, and its old owner has lost it': async (world) => {
    const { ledger } = world
    await ledger.takeLease('sweeper', 'a', 100)
    world.clock.advance(100)
    assert.equal(await ledger.takeLease('sweeper', 'b', 100), true)
    assert.equal(await ledger.takeLease('sweeper', 'a', 100), false)
    assert.equal(await ledger.releaseLease('sweeper', 'a'), false)
  },

  'of many that take a lease at once one gets it': async (world) => {
    const { ledger: other } = await world.harness.second()
    const owners = ['a', 'b', 'c', 'd']
    const taken = await Promise.all(
      owners.map((owner, index) =>
        (index % 2 === 0 ? world.ledger : other).takeLease('sweeper', owner, 100),
      ),
    )
    assert.equal(taken.filter(Boolean).length, 1)
    const winner = owners[taken.indexOf(true)] ?? ''
    const again = await Promise.all(
      [other, world.ledger].map((ledger) => ledger.takeLease('sweeper', winner, 100)),
    )
    assert.deepEqual(again, [true, true])
  },

  'a name that not every store could keep is refused': async (world) => {
    const { ledger } = world
    const isInput = (field: string) => (error: unknown) =>
      error instanceof InputError && error.field === field
    await assert.rejects(ledger.putItem('', 'id', 1, null), isInput('collection'))
    await assert.rejects(ledger.putItem('notes', 'a\0b', 1, null), isInput('id'))
    await assert.rejects(ledger.takeLease('name', '\ud800', 1), isInput('owner'))
  },
})
