/**
 * Owns which answers an event makes old. Answers are asked for again a moment later, all at once,
 * so that a burst of events costs one request a question.
 */

import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'

interface EventSubject {
  readonly accountId?: string | null
  readonly postId?: string | null
  readonly actionId?: string | null
}

const topicsOf: Readonly<Record<string, readonly string[]>> = {
  account_saved: ['accounts', 'overview'],
  account_parked: ['accounts', 'overview'],
  account_erased: ['accounts', 'overview', 'posts', 'actions'],
  post_tracked: ['overview', 'posts'],
  post_closed: ['overview', 'posts'],
  never_touch: ['posts'],
  verdict: ['overview', 'posts'],
  arm_assigned: ['posts'],
  action_planned: ['overview', 'posts', 'actions'],
  approval_expiring: ['actions'],
  text_revised: ['actions'],
  action_changed: ['overview', 'posts', 'actions'],
  attempt_begun: ['actions'],
  attempt_ended: ['actions'],
  undo_planned: ['overview', 'actions'],
  incident: ['overview', 'actions'],
  measured: ['lift', 'posts', 'actions'],
  paused: ['pauses', 'overview'],
  resumed: ['pauses', 'overview'],
}

/** The first part of the keys of all questions whose answer an event of this type changes. */
export function topicsFor(type: string): readonly string[] {
  return [...(topicsOf[type] ?? []), 'audit']
}

/** A longer list is not read anew by itself; the screen offers to. */
const mostPagesReadAgain = 3
const gatherMs = 400

export class Freshness {
  readonly #client: QueryClient
  readonly #topics = new Set<string>()
  readonly #posts = new Set<string>()
  readonly #actions = new Set<string>()
  #isGathering = false

  constructor(client: QueryClient) {
    this.#client = client
  }

  note(type: string, subject: EventSubject): void {
    for (const topic of topicsFor(type)) this.#topics.add(topic)
    if (typeof subject.postId === 'string') this.#posts.add(subject.postId)
    if (typeof subject.actionId === 'string') this.#actions.add(subject.actionId)
    if (this.#isGathering) return
    this.#isGathering = true
    setTimeout(() => this.#flush(), gatherMs)
  }

  /** After a break nobody knows what was missed. */
  noteEverything(): void {
    this.#refresh(({ queryKey }) => queryKey[0] !== 'session')
  }

  #flush(): void {
    const topics = new Set(this.#topics)
    const posts = new Set(this.#posts)
    const actions = new Set(this.#actions)
    for (const set of [this.#topics, this.#posts, this.#actions]) set.clear()
    this.#isGathering = false
    const isOld = ({ queryKey }: Query) => {
      if (!topics.has(String(queryKey[0]))) return false
      if (queryKey[1] !== 'one') return true
      return (queryKey[0] === 'posts' ? posts : actions).has(String(queryKey[2]))
    }
    this.#refresh(isOld)
  }

  #refresh(isOld: (query: Query) => boolean): void {
    void this.#client.invalidateQueries({ predicate: isOld, refetchType: 'none' })
    void this.#client.refetchQueries({
      type: 'active',
      predicate: (query) => isOld(query) && !isLong(query),
    })
  }
}

function isLong(query: Query): boolean {
  const data = query.state.data as Partial<InfiniteData<unknown>> | undefined
  return Array.isArray(data?.pages) && data.pages.length > mostPagesReadAgain
}
