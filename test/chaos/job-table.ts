/**
 * Owns what the test does to the queue behind its back: it loses jobs and delivers them twice, as
 * a queue may, gives up at once those that it would give up after a minute, and counts.
 */

import { connectOnce } from '../../src/ledger/postgres/pg.ts'
import type { Query, SingleClient } from '../../src/ledger/postgres/pg.ts'

const schema = 'secondwind_jobs'

export interface Misdelivery {
  /** Of 100 jobs, so many never get on the queue. */
  readonly lost: number
  /** And so many are on it twice. */
  readonly doubled: number
}

/** Which jobs it meets is the server's chance: one that was lost must have another. */
export async function misdeliver(
  connectionString: string,
  { lost, doubled }: Misdelivery,
): Promise<void> {
  await using table = await openJobTable(connectionString)
  await table.run(`
    create function ${schema}.lose() returns trigger language plpgsql as $$
      begin
        return case when random() * 100 < ${lost} then null else new end;
      end $$;
    create function ${schema}.double() returns trigger language plpgsql as $$
      begin
        if random() * 100 < ${doubled} and new.singleton_key not like '% again' then
          new.id := gen_random_uuid();
          new.singleton_key := new.singleton_key || ' again';
          insert into ${schema}.job values (new.*) on conflict do nothing;
        end if;
        return null;
      end $$;
    create trigger lose before insert on ${schema}.job
      for each row execute function ${schema}.lose();
    create trigger double after insert on ${schema}.job
      for each row execute function ${schema}.double();`)
}

export interface JobTable extends AsyncDisposable {
  run(text: string): Promise<readonly (readonly unknown[])[]>
  /**
   * Gives up what was taken long ago, as a minute without a sign of life does. Who still works on
   * one of them is not told: then it is done twice.
   */
  giveUpOld(): Promise<void>
  /** How many jobs there ever were, by their kind. */
  count(): Promise<ReadonlyMap<string, number>>
}

export async function openJobTable(connectionString: string): Promise<JobTable> {
  const client: SingleClient = await connectOnce(connectionString)
  const run = async (text: string) => {
    const query: Query = { text, rowMode: 'array' }
    const { rows } = await client.query(query)
    return rows
  }
  return {
    run,
    giveUpOld: async () => {
      await run(`update ${schema}.job set state = 'failed', completed_on = now()
        where state = 'active' and started_on < now() - interval '4 seconds'`)
    },
    count: async () => {
      const rows = await run(`select data->>'kind', count(*)::int from ${schema}.job group by 1`)
      return new Map(rows.map(([kind, count]) => [String(kind), Number(count)]))
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
