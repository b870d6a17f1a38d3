/**
 * Owns the rules that every text has to keep, whoever wrote it. A comment or a thread that is too
 * long is shortened; an edit never is, because that would cut the owner's own words.
 */

import { joinSegments } from '../core/segments.ts'
import type { ContentRequest } from './content.ts'
import { hasHiddenCharacters } from './hidden-characters.ts'
import { findHashtags, findLinks, findMentions, isBelow, normalizeMention } from './references.ts'
import { shorten } from './shorten.ts'

/** What a writer came up with, before it was held against the rules. */
export type Draft =
  | { readonly kind: 'comment'; readonly text: string }
  /** What is put below the post's text, which stays as it is. */
  | { readonly kind: 'edit'; readonly addition: string }
  | { readonly kind: 'thread'; readonly segments: readonly string[] }

export type Fitted =
  | { readonly kind: 'fits'; readonly text: string }
  /** `why` goes on after "because": `it links to example.com, which …`. */
  | { readonly kind: 'broken'; readonly why: string }

/** What an owner allows beyond what the post itself has. */
export interface Allowances {
  /** Domains (`example.com`) or addresses (`example.com/shop`), each with all below it. */
  readonly links: readonly string[]
}

/** An edit adds something small. */
export const longestAddition = 280
/** More hashtags than this that the post does not have are stuffing. */
export const mostNewHashtags = 2

/** Brings a draft into the form in which it is sent, or says which rule it breaks. */
export function fitDraft(draft: Draft, request: ContentRequest, allowances: Allowances): Fitted {
  switch (draft.kind) {
    case 'comment':
      return fitOwnText(draft.text, request, allowances)
    case 'edit':
      return fitEdit(draft.addition, request, allowances)
    case 'thread':
      return fitThread(draft.segments, request, allowances)
  }
}

function fitOwnText(draft: string, request: ContentRequest, allowances: Allowances): Fitted {
  const tidied = tidy(draft)
  if (!hasWords(tidied)) return broken('it says nothing')
  const text = shorten(tidied, request.limits)
  if (text === null || !hasWords(text)) return broken('not even its beginning fits')
  // Checked after shortening: what is left of a link is another link.
  const why = findFault(text, request, allowances)
  return why === null ? { kind: 'fits', text } : broken(why)
}

function fitEdit(draft: string, request: ContentRequest, allowances: Allowances): Fitted {
  const { post, limits } = request
  if (post.text.trim() === '') return broken('the post has no text that is known, to be kept')
  const addition = tidy(draft)
  if (!hasWords(addition)) return broken('it adds nothing')
  const why = findFault(addition, request, allowances)
  if (why !== null) return broken(why)
  if (Array.from(addition).length > longestAddition) {
    return broken(`it adds more than ${longestAddition} characters`)
  }
  const text = `${post.text}\n\n${addition}`
  if (!text.isWellFormed()) return broken('the post holds half of a character')
  const length = limits.measure(text)
  if (length > limits.maximumLength) {
    return broken(`the post would have ${length} of at most ${limits.maximumLength} characters`)
  }
  return { kind: 'fits', text }
}

function fitThread(
  drafts: readonly string[],
  request: ContentRequest,
  allowances: Allowances,
): Fitted {
  const { threadMaximum } = request.limits
  if (drafts.length === 0) return broken('it has no posts')
  if (drafts.length > threadMaximum) {
    return broken(`it has ${drafts.length} posts of at most ${threadMaximum}`)
  }
  const segments: string[] = []
  for (const draft of drafts) {
    const fitted = fitOwnText(draft, request, allowances)
    if (fitted.kind === 'broken') return fitted
    segments.push(fitted.text)
  }
  return { kind: 'fits', text: joinSegments(segments) }
}

/** What is wrong with words that were added to those of the post; null where nothing is. */
function findFault(
  text: string,
  { post, handle }: ContentRequest,
  allowances: Allowances,
): string | null {
  if (!text.isWellFormed()) return 'it holds half of a character'
  if (hasHiddenCharacters(text)) return 'it holds characters that are not shown'
  // On some networks a handle is a domain.
  const links = findLinks(`${post.text} ${post.url ?? ''} ${handle}`)
  for (const link of findLinks(text)) {
    if (links.has(link) || allowances.links.some((entry) => isBelow(link, entry))) continue
    return `it links to ${clip(link)}, which the post does not`
  }
  const people = findMentions(post.text)
  for (const name of findMentions(text)) {
    if (people.has(name) || name === normalizeMention(handle)) continue
    return `it mentions @${clip(name)}, whom the post does not`
  }
  const added = findHashtags(text).difference(findHashtags(post.text))
  if (added.size > mostNewHashtags) return `it has more than ${mostNewHashtags} new hashtags`
  return null
}

function broken(why: string): Fitted {
  return { kind: 'broken', why }
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)
}

/** White space that nobody meant: at the ends of lines, and more than one empty line. */
function tidy(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll('\t', ' ').trimEnd())
    .filter((line, index, lines) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim()
}

function clip(text: string): string {
  const characters = Array.from(text)
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : text
}
