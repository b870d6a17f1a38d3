/** The law of actions holds for whoever writes to the database, not only for the store. */

import { describe, expect, test } from 'vitest'
import { isEnded, states, transitions } from '../src/core/states.ts'
import type { State } from '../src/core/states.ts'
import type { ActionRow } from '../src/ledger/rows.ts'
import { openPostgresWorld } from './support/postgres-world.ts'
import type { PostgresWorld, Sql } from './support/postgres-world.ts'

const refused = { code: 'SW001' }

/** Puts the row into a state past the law, as it would have come there in time. */
async function putInto(sql: Sql, { id }: ActionRow, state: State): Promise<void> {
  await sql(`set session_replication_role = replica;
    update secondwind.actions set state = '${state}', version = 1,
      ended_at = ${isEnded(state) ? 1 : 'null'} where id = '${id}';
    set session_replication_role = origin`)
}

function change(sql: Sql, { id }: ActionRow, set: string) {
  return sql(`update secondwind.actions set version = version + 1, ${set} where id = '${id}'`)
}

async function openRow(here: PostgresWorld) {
  const sql = await here.connect()
  return { sql, row: await here.world.plan(await here.world.post()) }
}

describe('the database', () => {
  test.each(states)('lets only the states of the table follow %s', async (from) => {
    await using here = await openPostgresWorld()
    const { sql, row } = await openRow(here)
    const followed: State[] = []
    for (const to of states) {
      if (to === from) continue
      await putInto(sql, row, from)
      const move = change(sql, row, `state = '${to}', ended_at = ${isEnded(to) ? 2 : 'null'}`)
      const isMoved = await move.then(
        () => true,
        (error: { code?: string }) => {
          expect(error).toMatchObject(refused)
          return false
        },
      )
      if (isMoved) followed.push(to)
    }
    expect(followed.toSorted()).toEqual(transitions[from].toSorted())
  })

  test('refuses every change of what an action is about', async () => {
    await using here = await openPostgresWorld()
    const { sql, row } = await openRow(here)
    const other = await here.world.post()
    for (const set of [
      `key = 'other'`,
      `post_id = '${other.id}'`,
      `account_id = '${other.accountId}'`,
      `platform = 'mastodon'`,
      `action = 'edit'`,
      `tier = 'tier_3'`,
      'generation = 1',
      'planned_at = 0',
      `undoes = 'x'`,
    ]) {
      await expect(change(sql, row, set)).rejects.toMatchObject(refused)
    }
    await here.world.unchanged(row)
  })

  test('refuses another text after the first claim, and another first claim', async () => {
    await using here = await openPostgresWorld()
    const { sql, row } = await openRow(here)
    const claimed = await here.world.claim(row)
    for (const set of [
      `text = 'Other.'`,
      'text = null',
      `text_hash = 'x'`,
      'revision = 2',
      'first_claimed_at = 0',
    ]) {
      await expect(change(sql, row, set)).rejects.toMatchObject(refused)
    }
    await here.world.unchanged(claimed)
  })

  test('refuses every change and the end of a row that has ended', async () => {
    await using here = await openPostgresWorld()
    const sql = await here.connect()
    const row = await here.world.succeeded()
    for (const set of [
      'outcome = null',
      'text = null, outcome = null',
      'due_at = 1',
      'token = null',
    ]) {
      await expect(change(sql, row, set)).rejects.toMatchObject(refused)
    }
    const deletion = sql(`delete from secondwind.actions where id = '${row.id}'`)
    await expect(deletion).rejects.toMatchObject(refused)
    await here.world.unchanged(row)
  })

  test('lets an erasure take text and outcome away, and nothing else', async () => {
    await using here = await openPostgresWorld()
    const sql = await here.connect()
    const row = await here.world.succeeded()
    await sql(`update secondwind.accounts set status = 'erased' where id = '${row.accountId}'`)
    const erase = (more: string) =>
      sql(
        `update secondwind.actions set text = null, outcome = null ${more} where id = '${row.id}'`,
      )
    await expect(erase(`, token = 'x'`)).rejects.toMatchObject(refused)
    await erase('')
    expect(await here.world.row(row)).toEqual({ ...row, text: null, outcome: null })
  })

  test('refuses a version that is not the next', async () => {
    await using here = await openPostgresWorld()
    const { sql, row } = await openRow(here)
    for (const version of [row.version, row.version + 2]) {
      const set = `set due_at = 1, version = ${version}`
      const update = sql(`update secondwind.actions ${set} where id = '${row.id}'`)
      await expect(update).rejects.toMatchObject(refused)
    }
  })

  test('refuses rows that no ledger writes, and a second open action of a post', async () => {
    await using here = await openPostgresWorld()
    const { sql, row } = await openRow(here)
    const copy = (changes: Readonly<Record<string, string>>) => {
      const values = { id: `'new'`, key: `'new'`, number: 'default', ...changes }
      const columns = Object.keys(values)
      const rest = `select * from secondwind.actions where id = '${row.id}'`
      return sql(`create temp table copy on commit drop as ${rest};
        update copy set ${columns
          .filter((name) => name !== 'number')
          .map((name) => `${name} = ${values[name as keyof typeof values]}`)
          .join(', ')};
        alter table copy drop column number;
        insert into secondwind.actions select * from copy`)
    }
    await expect(copy({ state: `'done'` })).rejects.toMatchObject(refused)
    await expect(copy({ action: `'like'` })).rejects.toMatchObject(refused)
    await expect(copy({ tier: `'tier_4'` })).rejects.toMatchObject(refused)
    await expect(copy({ ended_at: '1' })).rejects.toMatchObject(refused)
    await expect(copy({})).rejects.toMatchObject({ constraint: 'one_open_action' })
    await expect(copy({ key: `'${row.key}'` })).rejects.toMatchObject({ code: '23505' })
  })
})
