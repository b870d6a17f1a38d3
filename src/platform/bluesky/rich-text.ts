/**
 * Owns facets: which parts of a text are links, mentions and tags. The network shows a text as it
 * is unless it is told, and it counts in bytes of UTF-8.
 */

import type { Json } from '../../core/json.ts'

/** A part of a text that is more than letters. */
export interface Feature {
  readonly kind: 'link' | 'mention' | 'tag'
  /** Where the link leads, whose handle it is, or the tag without its sign. */
  readonly value: string
  readonly byteStart: number
  readonly byteEnd: number
}

const linkPattern = /(?<=^|[\s([<"'“‘«])https?:\/\/[^\s<>"“”«»]+/giu
const mentionPattern = /(?<=^|[\s([])@([a-z0-9][a-z0-9.-]*[a-z0-9])/giu
const tagPattern = /(?<=^|[\s([])[#＃][^\s\p{Cf}]+/gu

const handlePattern =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const longestHandle = 253
const longestTag = 64

export function findFeatures(text: string): readonly Feature[] {
  const found = [
    ...matches(text, linkPattern, readLink),
    ...matches(text, mentionPattern, readMention),
    ...matches(text, tagPattern, readTag),
  ]
  return found
    .toSorted((one, other) => one.byteStart - other.byteStart)
    .filter(({ byteStart }, index, all) => byteStart >= (all[index - 1]?.byteEnd ?? 0))
}

/** Facets as a record has them. A handle that belongs to nobody stays plain text. */
export function toFacets(
  features: readonly Feature[],
  didOf: ReadonlyMap<string, string>,
): readonly Json[] {
  return features.flatMap((feature) => {
    const told = toFeature(feature, didOf)
    const { byteStart, byteEnd } = feature
    return told === null ? [] : [{ index: { byteStart, byteEnd }, features: [told] }]
  })
}

function toFeature({ kind, value }: Feature, didOf: ReadonlyMap<string, string>): Json {
  const $type = `app.bsky.richtext.facet#${kind}`
  if (kind === 'link') return { $type, uri: value }
  if (kind === 'tag') return { $type, tag: value }
  const did = didOf.get(value)
  return did === undefined ? null : { $type, did }
}

/** What a match stands for, with the part of it that counts. */
interface Reading {
  readonly shown: string
  readonly kind: Feature['kind']
  readonly value: string
}

function matches(
  text: string,
  pattern: RegExp,
  read: (match: string) => Reading | null,
): Feature[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const reading = read(match[0])
    if (reading === null) return []
    const byteStart = Buffer.byteLength(text.slice(0, match.index))
    const byteEnd = byteStart + Buffer.byteLength(reading.shown)
    return [{ kind: reading.kind, value: reading.value, byteStart, byteEnd }]
  })
}

function readLink(match: string): Reading | null {
  const shown = withoutClosing(match)
  return URL.canParse(shown) ? { kind: 'link', value: shown, shown } : null
}

/** A sentence's own sign at the end of a link is not part of it, nor is a bracket around it. */
function withoutClosing(match: string): string {
  const shown = match.replace(/[.,;:!?'’…]+$/u, '')
  const isWrapped = shown.endsWith(')') && !shown.includes('(')
  if (isWrapped || shown.endsWith(']')) return withoutClosing(shown.slice(0, -1))
  return shown
}

function readMention(shown: string): Reading | null {
  const value = shown.slice(1).toLowerCase()
  return isHandle(value) ? { kind: 'mention', value, shown } : null
}

/** Something with a letter or a sign in it: a number alone is a place in a list. */
function readTag(match: string): Reading | null {
  const shown = match.replace(/\p{P}+$/u, '')
  const value = shown.slice(1)
  const isTag =
    /[^\d\p{P}]/u.test(value) && !value.startsWith('\ufe0f') && value.length <= longestTag
  return isTag ? { kind: 'tag', value, shown } : null
}

export function isHandle(text: string): boolean {
  return text.length <= longestHandle && handlePattern.test(text)
}
