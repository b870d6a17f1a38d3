import { describe, expect, it } from 'vitest'
import { splitInstants } from './instants.ts'

describe('splitInstants', () => {
  it('finds every instant and loses nothing around it', () => {
    const sentence = 'From 2026-06-16T12:30:00+00:00 to 2026-06-16T15:30:00.250Z; 3 are needed.'
    const parts = splitInstants(sentence)
    expect(parts.map(({ text }) => text).join('')).toBe(sentence)
    expect(parts.map(({ at }) => at)).toEqual([
      null,
      Date.UTC(2026, 5, 16, 12, 30),
      null,
      Date.UTC(2026, 5, 16, 15, 30, 0, 250),
      null,
    ])
  })

  it('leaves a sentence without one as it is', () => {
    expect(splitInstants('Possible again on 2026-06-16.')).toEqual([
      { text: 'Possible again on 2026-06-16.', at: null },
    ])
  })
})
