/** Tests that a policy is checked when it is loaded, and that each error names its field. */

import { describe, expect, it } from 'vitest'
import { hourMs, longestMs, minuteMs } from './duration.ts'
import { InputError } from './input-error.ts'
import { classicPolicy } from './policies/classic.ts'
import { standardPolicy } from './policies/standard.ts'
import { parsePolicy, policyId } from './policy.ts'

type Path = readonly (string | number)[]
type Node = Record<string | number, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** A copy of a policy in which one field is changed. */
function changed(
  policy: unknown,
  path: Path,
  change: (parent: Node, key: string | number) => void,
) {
  const copy: unknown = JSON.parse(JSON.stringify(policy))
  const key = path.at(-1)
  const parent = path.slice(0, -1).reduce<unknown>((node, part) => {
    if (!isNode(node)) throw new Error(`Nothing at ${path.join('.')}`)
    return node[part]
  }, copy)
  if (!isNode(parent) || key === undefined) throw new Error(`Nothing at ${path.join('.')}`)
  change(parent, key)
  return copy
}

const withValue = (policy: unknown, path: Path, value: unknown) =>
  changed(policy, path, (parent, key) => {
    parent[key] = value
  })

const nameOf = (path: Path) =>
  path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : `${name}.${part}`),
    'policy',
  )

/** The field that is refused, or null where the policy is accepted. */
function refusedField(value: unknown): string | null {
  try {
    parsePolicy(value)
    return null
  } catch (error) {
    if (error instanceof InputError) return error.field
    throw error
  }
}

/** Every field of a policy; those of objects and lists come before what is in them. */
function fieldsOf(node: unknown, path: Path = []): Path[] {
  if (!isNode(node)) return [path]
  const inside = Object.entries(node).flatMap(([key, value]) =>
    fieldsOf(value, [...path, Array.isArray(node) ? Number(key) : key]),
  )
  return path.length === 0 ? inside : [path, ...inside]
}

const isObject = (value: unknown) => isNode(value) && !Array.isArray(value)

function valueAt(policy: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, part) => (isNode(node) ? node[part] : undefined), policy)
}

describe.each([classicPolicy, standardPolicy])('the policy $name', (policy) => {
  const fields = fieldsOf(policy)

  it('is accepted unchanged, also from JSON', () => {
    expect(parsePolicy(policy)).toEqual(policy)
    expect(parsePolicy(JSON.parse(JSON.stringify(policy)))).toEqual(policy)
  })

  it.each(fields.map((path) => [nameOf(path), path] as const))(
    'is refused with something else at %s',
    (name, path) => {
      const refused = refusedField(withValue(policy, path, Symbol.for('something else')))
      expect(refused).toBe(name)
    },
  )

  it.each(
    fields
      .filter((path) => typeof path.at(-1) === 'string')
      .map((path) => [nameOf(path), path] as const),
  )('is refused without %s', (name, path) => {
    const without = changed(policy, path, (parent, key) => Reflect.deleteProperty(parent, key))
    expect(refusedField(without)).toBe(name)
  })

  it.each(
    [[], ...fields]
      .filter((path) => isObject(valueAt(policy, path)))
      .map((path) => [nameOf(path), path] as const),
  )('is refused with an unknown field in %s', (name, path) => {
    const extended = withValue(policy, [...path, 'surprise'], 1)
    expect(refusedField(extended)).toBe(`${name}.surprise`)
  })

  it.each(
    fields
      .filter((path) => typeof valueAt(policy, path) === 'number')
      .map((path) => [nameOf(path), path] as const),
  )('is refused with a negative number, NaN or infinity at %s', (name, path) => {
    for (const value of [-1, NaN, Infinity, -Infinity, '1']) {
      expect(refusedField(withValue(policy, path, value))).toBe(name)
    }
  })

  it.each(
    fields
      .filter((path) => String(path.at(-1)).endsWith('Ms'))
      .filter((path) => typeof valueAt(policy, path) === 'number')
      .map((path) => [nameOf(path), path] as const),
  )('is refused with a duration that no calendar holds at %s', (name, path) => {
    expect(refusedField(withValue(policy, path, longestMs + 1))).toBe(name)
  })
})

const guardIndex = (name: string) => standardPolicy.guards.findIndex(({ guard }) => guard === name)

describe('parsePolicy', () => {
  it.each([
    ['a name in capitals', ['name'], 'Standard', 'policy.name'],
    ['an empty name', ['name'], '', 'policy.name'],
    ['version 0', ['version'], 0, 'policy.version'],
    ['half a version', ['version'], 1.5, 'policy.version'],
    ['no sample', ['evidence', 'minimumSamples'], 0, 'policy.evidence.minimumSamples'],
    ['a score over 1', ['tiers', 'rate', 'tier_3'], 1.01, 'policy.tiers.rate.tier_3'],
    ['tier_2 below tier_1', ['tiers', 'rate', 'tier_2'], 0.29, 'policy.tiers.rate.tier_2'],
    ['tier_3 below tier_2', ['tiers', 'rate', 'tier_3'], 0.54, 'policy.tiers.rate.tier_3'],
    ['an empty step', ['ladder', 'tier_1'], [], 'policy.ladder.tier_1'],
    ['an unknown action', ['ladder', 'tier_1'], ['poke'], 'policy.ladder.tier_1[0]'],
    [
      'a span longer than the window',
      ['evidence', 'minimumSpanMs'],
      5_400_001,
      'policy.evidence.minimumSpanMs',
    ],
    [
      'a gap shorter than the spacing of looks',
      ['looks', 'maximumGapMs'],
      299_999,
      'policy.looks.maximumGapMs',
    ],
    [
      'a longest delay below the first',
      ['retry', 'maximumDelayMs'],
      29_999,
      'policy.retry.maximumDelayMs',
    ],
    [
      'checks too rare for enough samples',
      ['checks', 2, 'everyMs'],
      46 * minuteMs,
      'policy.checks[2].everyMs',
    ],
    ['checks out of order', ['checks', 1, 'untilAgeMs'], 6 * hourMs, 'policy.checks[1].untilAgeMs'],
    ['no checks', ['checks'], [], 'policy.checks'],
    ['an unknown code', ['retry', 'transientCodes'], ['oops'], 'policy.retry.transientCodes[0]'],
    ['a guard nobody knows', ['guards', 2, 'guard'], 'moon_phase', 'policy.guards[2].guard'],
    ['a guard twice', ['guards', 1], { guard: 'paused' }, 'policy.guards[1].guard'],
    [
      'a last age below the first',
      ['guards', guardIndex('post_age'), 'toMs'],
      1,
      `policy.guards[${guardIndex('post_age')}].toMs`,
    ],
    [
      'a time of day that does not exist',
      ['guards', guardIndex('quiet_hours'), 'from'],
      '24:00',
      `policy.guards[${guardIndex('quiet_hours')}].from`,
    ],
  ])('refuses %s', (_, path, value, field) => {
    expect(refusedField(withValue(standardPolicy, path, value))).toBe(field)
  })

  it.each([
    ['tiers that begin at one score', ['tiers', 'rate', 'tier_2'], 0.3],
    ['as few checks as just suffice', ['checks', 2, 'everyMs'], 45 * minuteMs],
    ['a span of the whole window', ['evidence', 'minimumSpanMs'], 5_400_000],
    ['no guards at all', ['guards'], []],
    ['no end of attempts', ['retry', 'maximumAttempts'], null],
  ])('accepts %s', (_, path, value) => {
    expect(refusedField(withValue(standardPolicy, path, value))).toBeNull()
  })

  it('knows how many samples fit in the window', () => {
    const checks = [{ untilAgeMs: 72 * hourMs, everyMs: minuteMs }]
    const needing = (minimumSamples: number) =>
      refusedField({
        ...standardPolicy,
        checks,
        evidence: { ...standardPolicy.evidence, minimumSamples },
      })
    expect(needing(91)).toBeNull()
    expect(needing(92)).toBe('policy.evidence.minimumSamples')
  })

  it('refuses checks so rare that the count of looks would always start again', () => {
    const looks = { ...standardPolicy.looks, maximumGapMs: 29 * minuteMs }
    expect(refusedField({ ...standardPolicy, looks })).toBe('policy.checks[2].everyMs')
  })

  it('refuses a holdout that is not last, and says why', () => {
    const guards = [{ guard: 'holdout' }, ...standardPolicy.guards.slice(0, -1)]
    const parse = () => parsePolicy({ ...standardPolicy, guards })
    expect(parse).toThrow(/^policy\.guards\[0\]\.guard: must be last/)
  })

  it.each([[null], [undefined], ['standard'], [[]], [1]])('refuses %j altogether', (value) => {
    expect(() => parsePolicy(value)).toThrow(/^policy: /)
  })
})

describe('policyId', () => {
  it('joins name and version', () => {
    expect(policyId(standardPolicy)).toBe('standard@1')
    expect(policyId({ ...standardPolicy, name: 'mine', version: 7 })).toBe('mine@7')
  })
})
