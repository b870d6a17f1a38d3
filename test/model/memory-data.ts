/** Ledger data in memory: every client shares the one store, and a restart finds it as it was. */

import type { AuditEntry } from '../../src/ledger/audit.ts'
import { MemoryStore } from '../../src/ledger/index.ts'
import type { NewLedgerData } from '../../src/testing/index.ts'

export const newMemoryData: NewLedgerData = async (clock) => {
  const store = new MemoryStore(clock)
  return {
    open: async () => store,
    tamper: {
      changeEvent: async (seq) =>
        store.eventLog.damageEvent(seq, (event) => ({ ...event, at: event.at + 1 })),
      deleteEvent: async (seq) => store.eventLog.damageEvent(seq, () => null),
      swapAudit: async (a, b) => {
        const [first, second] = [await entry(store, a), await entry(store, b)]
        store.eventLog.damageEntry(a, () => ({ ...second, number: a }))
        store.eventLog.damageEntry(b, () => ({ ...first, number: b }))
      },
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

async function entry(store: MemoryStore, number: number): Promise<AuditEntry> {
  const [sealed] = await store.readAudit(number - 1, 1)
  if (sealed === undefined) throw new Error(`there is no audit entry ${number}`)
  return sealed.entry
}
