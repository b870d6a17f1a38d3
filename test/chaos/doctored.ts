/** Owns false accounts of a chaos that went well: the audit has to see through each of them. */

import type { PromiseName } from '../../sim/auditor/scene.ts'
import type { Policy } from '../../src/core/policy.ts'
import type { ActionRow } from '../../src/ledger/index.ts'
import type { Facts } from './facts.ts'

export interface Doctored {
  readonly what: string
  /** Which promise the audit must say is broken. */
  readonly breaks: PromiseName
  readonly change: (facts: Facts) => Facts
}

export const doctorings: readonly Doctored[] = [
  {
    what: 'a success that is forgotten',
    breaks: 'I4',
    change: (facts) => withAction(facts, successOf(facts), { state: 'unknown' }),
  },
  {
    what: 'a failure that is there for all to see',
    breaks: 'I4',
    change: (facts) => withAction(facts, successOf(facts), { state: 'failed' }),
  },
  {
    what: 'an approval that is lost',
    breaks: 'I4',
    change: (facts) => {
      const [id] = facts.approved.keys()
      return { ...facts, approvals: facts.approvals.filter((row) => row.actionId !== id) }
    },
  },
  {
    what: 'a chain that is broken',
    breaks: 'I4',
    change: (facts) => ({ ...facts, chain: { ...facts.chain, unsealed: 1 } }),
  },
  {
    what: 'a write of which the ledger knows nothing',
    breaks: 'I6',
    change: (facts) => {
      const { id } = successOf(facts)
      const actions = facts.contents.actions.filter((row) => row.id !== id)
      return { ...facts, contents: { ...facts.contents, actions } }
    },
  },
  {
    what: 'a send that nobody wrote down',
    breaks: 'I6',
    change: (facts) => {
      const { id } = successOf(facts)
      const attempts = facts.contents.attempts.filter(({ actionId }) => actionId !== id)
      return { ...facts, contents: { ...facts.contents, attempts } }
    },
  },
  {
    what: 'another text than the one that was sent',
    breaks: 'I8',
    change: (facts) => withAction(facts, successOf(facts), { text: 'Something else.' }),
  },
  {
    what: 'an attempt in a pause',
    breaks: 'I11',
    change: (facts) => {
      const row = successOf(facts)
      const at = facts.contents.attempts.find(({ actionId }) => actionId === row.id)?.startedAt ?? 0
      const span = { accountId: row.accountId, askedAt: at - 2, from: at - 1, to: at + 1 }
      return { ...facts, pauses: [span] }
    },
  },
  {
    what: 'a text that nobody approved',
    breaks: 'I11',
    change: (facts) => ({ ...facts, approved: new Map() }),
  },
  {
    what: 'a budget that was smaller',
    breaks: 'I2',
    change: (facts) => {
      const policies = [...facts.policies].map(([id, policy]) => [id, frugal(policy)] as const)
      return { ...facts, policies: new Map(policies) }
    },
  },
  {
    what: 'a post that nobody watches',
    breaks: 'I5',
    change: (facts) => {
      const posts = facts.contents.posts.map((post) => Object.assign({}, post, gone))
      return { ...facts, contents: { ...facts.contents, posts } }
    },
  },
  {
    what: 'a storm of jobs',
    breaks: 'sound',
    change: (facts) => ({ ...facts, jobs: new Map([['send', 1_000_000]]) }),
  },
]

const gone = { nextCheckAt: null }

function frugal(policy: Policy): Policy {
  const budget = { guard: 'account_budget', perHour: 1, perDay: 1 } as const
  const others = policy.guards.filter(({ guard }) => guard !== 'account_budget')
  return { ...policy, guards: [...others, budget] }
}

function successOf({ contents }: Facts): ActionRow {
  const found = contents.actions.find(({ state }) => state === 'success')
  if (found === undefined) throw new Error('Nothing has succeeded')
  return found
}

function withAction(facts: Facts, row: ActionRow, change: Partial<ActionRow>): Facts {
  const actions = facts.contents.actions.map((each) =>
    each.id === row.id ? Object.assign({}, each, change) : each,
  )
  return { ...facts, contents: { ...facts.contents, actions } }
}
