import { describe, expect, it } from 'vitest'
import { standardPolicy } from '../../src/core/policies/standard.ts'
import { readAt } from '../../web/src/screens/policy/draft.ts'
import {
  groups,
  guardSentences,
  partsOf,
  retrySentences,
} from '../../web/src/screens/policy/sentences.ts'

const sentences = [
  ...[...groups, retrySentences].flatMap((group) => group.sentences),
  ...guardSentences.map(({ sentence }) => sentence),
]
const fields = sentences.flatMap(partsOf).filter((part) => part.kind === 'field')

describe('the policy in sentences', () => {
  it('has a sentence for every guard of the standard policy, in its order', () => {
    expect(guardSentences.map(({ guard }) => guard)).toEqual(
      standardPolicy.guards.map(({ guard }) => guard),
    )
  })

  it.each(fields.map(({ path, field }) => [path, field] as const))(
    'finds %s in the policy, as a %s',
    (path, field) => {
      expect(typeof readAt(standardPolicy, path)).toBe(field === 'clock' ? 'string' : 'number')
    },
  )

  it('takes a sentence apart without losing a word', () => {
    expect(partsOf('at most {a.b:count}, or less')).toEqual([
      { kind: 'text', text: 'at most ' },
      { kind: 'field', path: 'a.b', field: 'count', after: ',' },
      { kind: 'text', text: ' or less' },
    ])
  })
})
