import { describe, expect, it } from 'vitest'
import { realityOf } from './mode-banner.tsx'

describe('realityOf', () => {
  it.each([
    ['demo', { watch: 0, approve: 2, auto: 1 }, 'demo'],
    ['live', { watch: 3, approve: 0, auto: 0 }, 'watch'],
    ['live', { watch: 3, approve: 1, auto: 0 }, 'live'],
    ['live', { watch: 0, approve: 0, auto: 1 }, 'live'],
  ] as const)('%s with %o is %s', (mode, accounts, reality) => {
    expect(realityOf(mode, accounts)).toBe(reality)
  })
})
