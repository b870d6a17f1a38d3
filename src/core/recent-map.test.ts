/** Tests what a memory of bounded size still knows. */

import { describe, expect, it } from 'vitest'
import { RecentMap } from './recent-map.ts'

describe('a memory of at most six', () => {
  const filled = (count: number) => {
    const map = new RecentMap<number, string>(6)
    for (let key = 1; key <= count; key += 1) map.set(key, `v${key}`)
    return map
  }
  const known = (map: RecentMap<number, string>) =>
    Array.from({ length: 50 }, (_, key) => key).filter((key) => map.get(key) !== undefined)

  it('knows all of them until it is full', () => {
    expect(known(filled(6))).toEqual([1, 2, 3, 4, 5, 6])
    expect(filled(6).get(2)).toBe('v2')
  })

  it('never knows more than that, and always the last half', () => {
    for (let count = 1; count < 40; count += 1) {
      const keys = known(filled(count))
      expect(keys.length).toBeLessThanOrEqual(6)
      for (let key = Math.max(1, count - 2); key <= count; key += 1) expect(keys).toContain(key)
    }
  })

  it('forgets nothing over a key that it knows, and takes the later value', () => {
    const map = filled(6)
    for (let turn = 0; turn < 20; turn += 1) map.set(6, `again ${turn}`)
    expect(known(map)).toEqual([1, 2, 3, 4, 5, 6])
    expect(map.get(6)).toBe('again 19')
  })
})
