/** Bugs that a connector could have. */

import type { Json } from '../../src/core/json.ts'
import type { PlantedBug } from './planted-bug.ts'
import { withConnector, withDescription } from './seams.ts'

/** Changes a field of a prepared write, if it has it. */
function changed(token: Json, field: string, value: (before: Json) => Json): Json {
  if (typeof token !== 'object' || token === null || Array.isArray(token)) return token
  const fields = token as { readonly [name: string]: Json }
  const before = fields[field]
  return before === undefined || before === null ? token : { ...fields, [field]: value(before) }
}

let count = 0

export const connectorBugs: readonly PlantedBug[] = [
  {
    name: 'fresh-record-keys',
    breaks: 'I1',
    mistake: 'makes the record keys when it sends, and not once when it prepares',
    platform: withConnector((platform) => ({
      commit: (request) => {
        count += 1
        const fresh = (keys: Json) => (keys as readonly string[]).map((key) => `${key}${count}`)
        const token = changed(request.token, 'recordKeys', fresh)
        return platform.commit({ ...request, token })
      },
    })),
  },
  {
    name: 'forgotten-idempotency-key',
    breaks: 'I1',
    mistake: 'does not send the key by which the network would recognise a repeat',
    platform: withConnector((platform) => ({
      commit: (request) =>
        platform.commit({
          ...request,
          token: changed(request.token, 'idempotencyKey', () => null),
        }),
    })),
  },
  {
    name: 'retry-inside',
    breaks: 'I6',
    mistake: 'sends once more by itself when the connection broke',
    platform: withConnector((platform) => ({
      commit: (request) => platform.commit(request).catch(() => platform.commit(request)),
    })),
  },
  {
    name: 'timeouts-are-failures',
    breaks: 'I6',
    mistake: 'takes a broken connection for proof that nothing landed',
    platform: withConnector((platform) => ({
      classify: (error, call, now) => {
        const fault = platform.classify(error, call, now)
        return fault.code === 'network_error' ? { ...fault, landed: 'no' } : fault
      },
    })),
  },
  {
    name: 'bad-answers-are-final',
    breaks: 'I4',
    mistake: 'takes an answer that makes no sense for a refusal',
    platform: withConnector((platform) => ({
      classify: (error, call, now) => {
        const fault = platform.classify(error, call, now)
        if (fault.code !== 'bad_answer') return fault
        return { ...fault, landed: 'no', code: 'invalid' }
      },
    })),
  },
  {
    name: 'everything-deduplicates',
    breaks: 'I6',
    mistake: 'says that its network recognises repeats, and it does not',
    platform: withDescription((description) => {
      const { comment, edit, thread } = description.actions
      const sure = (ability: typeof comment) =>
        ability.supported ? { ...ability, writeClass: 'A' as const } : ability
      const actions = { comment: sure(comment), edit: sure(edit), thread: sure(thread) }
      return { ...description, actions }
    }),
  },
  {
    name: 'deduplicates-for-ever',
    breaks: 'I6',
    mistake: 'forgets that the network remembers a key for an hour alone',
    platform: withDescription((description) => ({ ...description, deduplicatesForMs: null })),
  },
  {
    name: 'touched-up-text',
    breaks: 'I8',
    mistake: 'improves the text that was approved',
    platform: withConnector((platform) => ({
      prepare: (options) => {
        const { request } = options
        const texts = request.texts.map((text) => `${text}!`)
        return platform.prepare({ ...options, request: { ...request, texts } })
      },
    })),
  },
]
