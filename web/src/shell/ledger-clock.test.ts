import { describe, expect, it } from 'vitest'
import { LedgerClock } from './ledger-clock.ts'

describe('LedgerClock', () => {
  it('takes this computer’s time until it has read the ledger’s', () => {
    expect(new LedgerClock().at(5000)).toBe(5000)
  })

  it('goes on from the last reading at the usual pace', () => {
    const clock = new LedgerClock()
    clock.note({ ledgerMs: 1_000_000, takenMs: 0 })
    expect(clock.at(3000)).toBe(1_003_000)
  })

  it('runs as fast as the ledger’s clock does', () => {
    const clock = new LedgerClock()
    clock.note({ ledgerMs: 0, takenMs: 0 })
    clock.note({ ledgerMs: 600_000, takenMs: 10_000 })
    expect(clock.at(11_000)).toBe(660_000)
  })

  it('stands where the ledger’s clock stands', () => {
    const clock = new LedgerClock()
    clock.note({ ledgerMs: 7000, takenMs: 0 })
    clock.note({ ledgerMs: 7000, takenMs: 10_000 })
    expect(clock.at(60_000)).toBe(7000)
  })

  it('takes a slow answer for what it is, and a jump as well', () => {
    const clock = new LedgerClock()
    clock.note({ ledgerMs: 0, takenMs: 0 })
    clock.note({ ledgerMs: 10_000, takenMs: 11_000 })
    expect(clock.at(12_000)).toBe(11_000)
    clock.note({ ledgerMs: 1e12, takenMs: 21_000 })
    expect(clock.at(22_000)).toBe(1e12 + 1000)
  })
})
