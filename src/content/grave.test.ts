/** Tests of telling that ready-made words have no place. */

import { describe, expect, test } from 'vitest'
import { fourDayWeek } from '../../test/builders/content-request.ts'
import { mayBeGrave } from './grave.ts'

describe('mayBeGrave', () => {
  test.each([
    'My grandmother died this morning.',
    'REST IN PEACE, old friend',
    'R.I.P. to a legend',
    'We lost our dog yesterday.',
    'Thinking of everyone after the shooting.',
    'She was diagnosed with cancer.',
  ])('yes: %j', (text) => {
    expect(mayBeGrave(text)).toBe(true)
  })

  test.each([fourDayWeek, 'We lost our keys', 'A grip that holds', 'Deadline on Friday', ''])(
    'no: %j',
    (text) => {
      expect(mayBeGrave(text)).toBe(false)
    },
  )
})
