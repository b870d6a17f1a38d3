/** Tests that bad input is refused by the name of its field, and never comes to a verdict. */

import { describe, expect, it } from 'vitest'
import {
  ago,
  decideWith,
  inputWith,
  lookAt,
  now,
  pastAction,
  sampleAt,
  samplesFor,
} from '../../test/builders/decision.ts'
import type { DecisionInput } from './decision-input.ts'
import { InputError } from './input-error.ts'
import { classicPolicy } from './policies/classic.ts'
import { standardPolicy } from './policies/standard.ts'

const { post, policy } = inputWith()

/** Good samples, of which the third is changed. */
const withSample = (change: object): Partial<DecisionInput> => ({
  samples: samplesFor('tier_2').with(2, { ...sampleAt(40, 1400, 56), ...change }),
})

const times = [NaN, Infinity, -Infinity, 1e300, -1e300]
const counts = [NaN, -1, -0.5, Infinity, '7', undefined, {}]

const bad: readonly (readonly [string, readonly unknown[], (value: never) => object])[] = [
  ['now', [...times, undefined, '2026'], (value: number) => ({ now: value })],
  ['post.publishedAt', times, (value: number) => ({ post: { ...post, publishedAt: value } })],
  [
    'post.id',
    ['\ud800', 'a\udc00b', 7, null],
    (value: string) => ({ post: { ...post, id: value } }),
  ],
  ['samples[2].at', [...times, '0', undefined], (value: number) => withSample({ at: value })],
  ['samples[2].impressions', counts, (value: number) => withSample({ impressions: value })],
  [
    'samples[2].engagements',
    [...counts, null],
    (value: number) => withSample({ engagements: value }),
  ],
  [
    'samples[2].interactions.likes',
    [...counts.filter((value) => value !== undefined), null],
    (value: number) => withSample({ interactions: { replies: 1, likes: value } }),
  ],
  [
    'history[1].at',
    [NaN, Infinity, undefined],
    (at: number) => ({
      history: [pastAction('edit', 'failed', 9000), pastAction('edit', 'success', 9, { at })],
    }),
  ],
  [
    'history[0].endedAt',
    [NaN, -Infinity],
    (endedAt: number) => ({ history: [pastAction('edit', 'rejected', 9000, { endedAt })] }),
  ],
  [
    'looks[1].at',
    [NaN, undefined],
    (at: number) => ({ looks: [lookAt(10, policy), { ...lookAt(20, policy), at }] }),
  ],
  ['ownReplies[1]', [NaN, Infinity], (at: number) => ({ ownReplies: [ago(5000), at] })],
  [
    'pauses[0].since',
    [NaN],
    (since: number) => ({ pauses: [{ scope: 'account', since, reason: 'x' }] }),
  ],
  ...(['account', 'platform'] as const).flatMap((scope) => {
    const tallied = (entry: object) => ({
      tallies: { account: [], platform: [], [scope]: [{ at: now, count: 1, ...entry }] },
    })
    return [
      [`tallies.${scope}[0].at`, [NaN, Infinity], (at: number) => tallied({ at })] as const,
      [
        `tallies.${scope}[0].count`,
        [NaN, Infinity, undefined],
        (count: number) => tallied({ count }),
      ] as const,
    ]
  }),
  ['withoutLift.edit', [NaN, Infinity], (edit: number) => ({ withoutLift: { edit } })],
]

const cases = bad.flatMap(([field, values, change]) =>
  values.map((value) => [field, value, change(value as never)] as const),
)

describe.each([classicPolicy, standardPolicy])('decide under $name', (under) => {
  it.each(cases)('refuses %s of %s', (field, _, changes) => {
    let thrown: unknown = null
    try {
      decideWith({ ...changes, policy: under })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(InputError)
    expect(thrown).toMatchObject({ name: 'InputError', field })
    expect(String(thrown)).toContain(`InputError: ${field}: `)
  })

  it('takes what is unusual and sound', () => {
    const verdict = decideWith({
      policy: under,
      post: { ...post, id: 'é 日本-投稿 🌬️' },
      samples: [sampleAt(40, 0, 0), sampleAt(20, 0.5, 0, {}), sampleAt(0, 5e15, 0)],
    })
    expect(verdict.kind).toBe('plan')
  })
})
