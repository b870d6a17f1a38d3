/** Tests that an action which keeps not helping an account waits for a review. */

import { describe, expect, it } from 'vitest'
import { reportOf } from '../../../test/builders/decision.ts'

describe('futility', () => {
  it.each([
    [{}, 0],
    [{ comment: 90, thread: 90 }, 0],
    [{ edit: 39 }, 39],
  ])('passes for an edit with %j', (withoutLift, count) => {
    expect(reportOf('futility', { withoutLift })).toEqual({
      guard: 'futility',
      kind: 'pass',
      facts: { action: 'edit', count, maximum: 40 },
    })
  })

  it('holds from 40 in a row on, until a person has looked', () => {
    expect(reportOf('futility', { withoutLift: { edit: 40 } })).toEqual({
      guard: 'futility',
      kind: 'hold',
      facts: { action: 'edit', count: 40, maximum: 40 },
      until: { kind: 'event', event: 'review' },
    })
  })
})
