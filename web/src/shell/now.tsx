/**
 * Owns what time it is on every screen. The ledger's time counts, not this computer's: a
 * demonstration runs on a faster clock, and a laptop's clock may be wrong.
 */

import { createContext, useContext, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { LedgerClock } from './ledger-clock.ts'
import type { ClockReading } from './ledger-clock.ts'

const NowContext = createContext(0)
const tickMs = 1000

export interface NowProviderProps {
  readonly reading: ClockReading | null
  readonly children: ReactNode
}

export function NowProvider({ reading, children }: NowProviderProps) {
  const [clock] = useState(() => new LedgerClock())
  const [now, setNow] = useState(() => reading?.ledgerMs ?? Date.now())
  const { ledgerMs = null, takenMs = null } = reading ?? {}
  useEffect(() => {
    if (ledgerMs !== null && takenMs !== null) clock.note({ ledgerMs, takenMs })
    const update = () => setNow(clock.at(Date.now()))
    update()
    const timer = setInterval(update, tickMs)
    return () => clearInterval(timer)
  }, [clock, ledgerMs, takenMs])
  return <NowContext value={now}>{children}</NowContext>
}

/** The ledger's time in epoch milliseconds, a second old at most. */
export function useNow(): number {
  return useContext(NowContext)
}
