/** Owns what the tags of a note say: what it answers (NIP-10), and what hangs on it. */

import type { NostrEvent } from './event.ts'

type Tag = readonly string[]

/** So many people are told of a reply at most: relays take more for an attack. */
const mostMentions = 50

export function valuesOf({ tags }: Pick<NostrEvent, 'tags'>, name: string): string[] {
  return tags.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []))
}

export function hasTag({ tags }: Pick<NostrEvent, 'tags'>, name: string): boolean {
  return tags.some(([key]) => key === name)
}

interface Ancestry {
  /** The note that began the conversation. */
  readonly root: string
  /** The note that is answered. */
  readonly parent: string
}

/**
 * What a note answers; null where it answers nothing. Markers are the rule. Where there are none,
 * the places of the tags decide, as they did before markers came up.
 */
export function ancestryOf({ tags }: Pick<NostrEvent, 'tags'>): Ancestry | null {
  const references = tags.filter(([key, id]) => key === 'e' && id !== undefined)
  const marked = (marker: string) => references.find((tag) => tag[3] === marker)?.[1]
  const root = marked('root')
  const reply = marked('reply')
  if (root !== undefined || reply !== undefined) {
    return { root: (root ?? reply) as string, parent: (reply ?? root) as string }
  }
  const plain = references.filter((tag) => (tag[3] ?? '') === '')
  const first = plain[0]?.[1]
  const last = plain.at(-1)?.[1]
  return first === undefined || last === undefined ? null : { root: first, parent: last }
}

/** Whether a note refers to another without answering in its conversation. */
export function isMention({ tags }: Pick<NostrEvent, 'tags'>, id: string): boolean {
  const references = tags.filter(([key, value]) => key === 'e' && value === id)
  return references.length > 0 && references.every((tag) => tag[3] === 'mention')
}

export interface ReplyTarget {
  /** The post that is helped, as a relay gave it. */
  readonly post: NostrEvent
  /** The note right above: the post, or the segment before. */
  readonly parentId: string
  readonly author: string
  /** A relay that has them. */
  readonly relay: string
}

export function replyTags({ post, parentId, author, relay }: ReplyTarget): string[][] {
  const root = ancestryOf(post)?.root ?? post.id
  // The author of a root that is not ours is not known here, and may be left out.
  const tags: string[][] = [['e', root, relay, 'root', ...(root === post.id ? [post.pubkey] : [])]]
  if (parentId !== root) tags.push(['e', parentId, relay, 'reply', author])
  const people = new Set([post.pubkey, ...valuesOf(post, 'p')])
  for (const person of [...people].slice(0, mostMentions)) tags.push(['p', person])
  const expiry: Tag | undefined = post.tags.find(([key]) => key === 'expiration')
  // A reply does not outlive its post (NIP-40).
  if (expiry?.[1] !== undefined) tags.push(['expiration', expiry[1]])
  return tags
}
