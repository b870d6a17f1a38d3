/** Tests that a post which was drawn into the group that is left alone stays alone. */

import { describe, expect, it } from 'vitest'
import { decideWith, reportOf } from '../../../test/builders/decision.ts'
import { never } from '../until.ts'

describe('holdout', () => {
  it.each([null, 'act'] as const)('passes with arm %s', (arm) => {
    expect(reportOf('holdout', { arm })).toEqual({ guard: 'holdout', kind: 'pass', facts: { arm } })
  })

  it('holds for ever with arm holdout', () => {
    expect(reportOf('holdout', { arm: 'holdout' })).toEqual({
      guard: 'holdout',
      kind: 'hold',
      facts: { arm: 'holdout' },
      until: never,
    })
  })

  it('is the reason only where all else passes', () => {
    expect(decideWith({ arm: 'holdout' })).toMatchObject({ kind: 'hold', reason: 'holdout' })
    const withoutLift = { edit: 40 }
    expect(decideWith({ arm: 'holdout', withoutLift })).toMatchObject({ reason: 'futility' })
  })
})
