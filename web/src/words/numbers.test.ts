import { describe, expect, it } from 'vitest'
import { formatChange, formatScore, plural } from './numbers.ts'

describe('numbers', () => {
  it('cuts a score instead of rounding it over a threshold', () => {
    expect(formatScore(0.7999)).toBe('0.79')
    expect(formatScore(0.3)).toBe('0.30')
  })

  it('gives a change its sign', () => {
    expect([0.34, -0.05, 0.001].map(formatChange)).toEqual(['+34 %', '−5 %', '±0 %'])
  })

  it('counts one thing in the singular', () => {
    expect([plural(1, 'post'), plural(1200, 'post')]).toEqual(['1 post', '1,200 posts'])
  })
})
