/** Tests what holds for all guards together: each is run and reported, in the policy's order. */

import { describe, expect, it } from 'vitest'
import { ago, decideWith, inputWith, pastAction } from '../../../test/builders/decision.ts'
import { classicPolicy } from '../policies/classic.ts'
import { standardPolicy } from '../policies/standard.ts'

const namesOf = (guards: readonly { readonly guard: string }[]) => guards.map(({ guard }) => guard)

describe('runGuards', () => {
  it.each([classicPolicy, standardPolicy])('reports each guard of $name in its order', (policy) => {
    const { trace } = decideWith({ policy })
    expect(namesOf(trace.guards)).toEqual(namesOf(policy.guards))
  })

  it('has for standard the order that its documentation gives', () => {
    expect(namesOf(standardPolicy.guards)).toEqual([
      'paused',
      'never_touch',
      'post_age',
      'open_action',
      'duplicate',
      'window_frequency',
      'action_cooldown',
      'lifetime_maximum',
      'account_budget',
      'platform_budget',
      'quiet_hours',
      'rejected_before',
      'expired_before',
      'failed_before',
      'futility',
      'backlash',
      'holdout',
    ])
  })

  it('goes on after a hold, and the first hold is the reason', () => {
    const { post } = inputWith()
    const verdict = decideWith({
      post: { ...post, neverTouch: true },
      history: [pastAction('edit', 'success', 5), pastAction('comment', 'success', 5)],
      pauses: [],
      arm: 'holdout',
    })
    expect(verdict).toMatchObject({ kind: 'hold', reason: 'never_touch' })
    const held = verdict.trace.guards.filter(({ kind }) => kind === 'hold')
    expect(namesOf(held)).toEqual(['never_touch', 'window_frequency', 'action_cooldown', 'holdout'])
  })

  it('asks nothing of a policy without guards', () => {
    const policy = { ...standardPolicy, guards: [] }
    const pauses = [{ scope: 'everything', since: ago(1), reason: 'ignored' }] as const
    const verdict = decideWith({ policy, pauses })
    expect(verdict.kind).toBe('plan')
    expect(verdict.trace.guards).toEqual([])
  })
})
