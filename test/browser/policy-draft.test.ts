import { describe, expect, it } from 'vitest'
import { standardPolicy } from '../../src/core/policies/standard.ts'
import { nextVersion, readAt, withGuard, writeAt } from '../../web/src/screens/policy/draft.ts'

describe('a policy by path', () => {
  it('finds a guard by its name, whatever its place in the list', () => {
    expect(readAt(standardPolicy, 'guards.account_budget.perHour')).toBe(6)
    expect(readAt(standardPolicy, 'checks.1.everyMs')).toBe(20 * 60_000)
  })

  it('changes one value and leaves the original as it was', () => {
    const before = structuredClone(standardPolicy)
    const after = writeAt(standardPolicy, 'guards.account_budget.perHour', 3)
    expect(readAt(after, 'guards.account_budget.perHour')).toBe(3)
    expect(readAt(after, 'guards.account_budget.perDay')).toBe(25)
    expect(standardPolicy).toEqual(before)
    expect(after.guards).toHaveLength(before.guards.length)
  })

  it('says undefined where nothing is, instead of failing', () => {
    expect(readAt(standardPolicy, 'guards.nothing_like_it.perHour')).toBeUndefined()
  })
})

describe('withGuard', () => {
  it('puts a guard back where it stood, with what was changed about the others', () => {
    const changed = writeAt(standardPolicy, 'guards.lifetime_maximum.maximum', 1)
    const without = withGuard(changed, standardPolicy, 'quiet_hours', false)
    expect(without.guards.some(({ guard }) => guard === 'quiet_hours')).toBe(false)
    const again = withGuard(without, standardPolicy, 'quiet_hours', true)
    expect(again.guards.map(({ guard }) => guard)).toEqual(
      standardPolicy.guards.map(({ guard }) => guard),
    )
    expect(readAt(again, 'guards.lifetime_maximum.maximum')).toBe(1)
  })
})

describe('nextVersion', () => {
  it('comes after the highest of the same name', () => {
    const known = [
      { name: 'standard', version: 1 },
      { name: 'standard', version: 7 },
      { name: 'other', version: 30 },
    ]
    expect(nextVersion('standard', known)).toBe(8)
    expect(nextVersion('new', known)).toBe(1)
  })
})
