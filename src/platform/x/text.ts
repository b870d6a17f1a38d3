/** Owns how X counts and shows texts, and when two of them say the same. */

import type { Tweet } from './wire.ts'

export const maximumLength = 280

/** Every link is made into one of this length. */
const linkLength = 23

const link = /\bhttps?:\/\/[^\s<>"]+/giu
/** X makes links of names like example.com too. */
const bareLink = /(?<![\p{L}\p{N}@/._-])(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:\/[^\s<>"]*)?/giu

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Signs of these ranges count one, all others two. */
const light: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
]

/** As X weighs it: links by their number, an emoji as two however it is put together. */
export function weightedLength(text: string): number {
  let length = 0
  const rest = text
    .normalize('NFC')
    .replace(link, () => {
      length += linkLength
      return ''
    })
    .replace(bareLink, (found) => {
      // Where it is none after all, its letters count; the greater of both is safe.
      length += Math.max(linkLength, weigh(found))
      return ''
    })
  return length + weigh(rest)
}

function weigh(text: string): number {
  let weight = 0
  for (const { segment } of graphemes.segment(text)) {
    weight += isEmoji(segment) ? 2 : weighSigns(segment)
  }
  return weight
}

const isEmoji = (grapheme: string): boolean =>
  /\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}/u.test(grapheme)

function weighSigns(grapheme: string): number {
  let weight = 0
  for (const sign of grapheme) {
    const code = sign.codePointAt(0) ?? 0
    weight += light.some(([first, last]) => code >= first && code <= last) ? 1 : 2
  }
  return weight
}

/** What the author typed: links as they were, and none for the post's own pictures. */
export function textOf({ text, entities, note_tweet: note }: Tweet): string {
  let shown = note?.text ?? text
  const links = (note === undefined ? entities : note.entities)?.urls ?? []
  for (const { url, expanded_url: target, media_key: media } of links) {
    shown = shown.replaceAll(url, media === undefined ? (target ?? url) : '')
  }
  return unescaped(shown).trim()
}

/** X gives these three signs as HTML has them. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

export function canonical(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** Links apart, which X may give in another form than they were sent. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [canonical(one), canonical(other)]
  return a === b || withoutLinks(a) === withoutLinks(b)
}

function withoutLinks(text: string): string {
  return text.replace(link, 'link').replace(bareLink, 'link')
}
