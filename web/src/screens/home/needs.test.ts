import { describe, expect, it } from 'vitest'
import { findNeeds } from './needs.ts'

const quiet = {
  watched: 10,
  stalled: 2,
  awaitingApproval: 0,
  approved: 0,
  running: 0,
  waiting: 0,
  unknown: 0,
  needsAttention: 0,
  sentLast24h: 3,
  failedLast24h: 0,
  parkedAccounts: 0,
  nextApprovalExpiresAt: null,
  accounts: { watch: 0, approve: 1, auto: 0 },
  pauses: 0,
  now: '2026-01-01T00:00:00+00:00',
}

describe('findNeeds', () => {
  it('asks for nobody while all goes its way', () => {
    expect(findNeeds(quiet, 'working')).toEqual([])
  })

  it('names a stuck engine before anything else', () => {
    const busy = { ...quiet, awaitingApproval: 2, needsAttention: 1 }
    expect(findNeeds(busy, 'stuck').map(({ label }) => label)).toEqual([
      'See System',
      'Look and say',
      'Decide',
    ])
  })

  it('says until when an approval has time', () => {
    const at = '2026-01-01T06:00:00+00:00'
    const [need] = findNeeds({ ...quiet, awaitingApproval: 1, nextApprovalExpiresAt: at }, null)
    expect(need).toMatchObject({ title: '1 action awaits approval', before: at })
  })
})
