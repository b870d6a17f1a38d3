import { describe, expect, test } from 'vitest'
import { wordLag } from './lag.ts'

describe('a lag in words', () => {
  test.each([
    ['check', 0, 'usual', 'good'],
    ['check', 59_999, 'usual', 'good'],
    ['check', 60_000, 'more than usual', 'warn'],
    ['check', 299_999, 'more than usual', 'warn'],
    ['check', 300_000, 'long', 'bad'],
    ['action', 29_999, 'usual', 'good'],
    ['action', 30_000, 'more than usual', 'warn'],
    ['action', 300_000, 'long', 'bad'],
  ] as const)('of a %s, after %i ms, is %s', (kind, lagMs, label, tone) => {
    expect(wordLag(kind, lagMs)).toMatchObject({ label, tone })
  })

  test('a usual one asks for nothing; a longer one says what to do', () => {
    expect(wordLag('check', 0).meaning).not.toContain('start another worker')
    expect(wordLag('check', 60_000).meaning).toContain('start another worker')
    expect(wordLag('action', 60_000).meaning).toContain('a network that does not answer')
  })
})
