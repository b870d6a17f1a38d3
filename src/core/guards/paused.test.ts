/** Tests the pause: whatever its scope, it comes first and lasts until someone resumes. */

import { describe, expect, it } from 'vitest'
import { ago, decideWith, reportOf } from '../../../test/builders/decision.ts'

describe('paused', () => {
  it('passes where nothing is paused', () => {
    expect(reportOf('paused').kind).toBe('pass')
  })

  it.each(['everything', 'platform', 'account'] as const)('holds while %s is paused', (scope) => {
    const pauses = [{ scope, since: ago(5), reason: 'holidays' }]
    expect(reportOf('paused', { pauses })).toEqual({
      guard: 'paused',
      kind: 'hold',
      facts: { scope, sinceAt: ago(5), reason: 'holidays' },
      until: { kind: 'event', event: 'resume' },
    })
  })

  it('comes before every other reason', () => {
    const verdict = decideWith({
      pauses: [{ scope: 'everything', since: ago(5), reason: 'holidays' }],
      post: { id: 'post-1', publishedAt: null, neverTouch: true },
      arm: 'holdout',
    })
    expect(verdict).toMatchObject({ kind: 'hold', reason: 'paused' })
  })
})
