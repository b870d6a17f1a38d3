/** Owns the ways in which networks count the length of a text. */

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What a reader takes for one character, however many code points it is made of. */
export function countGraphemes(text: string): number {
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}

export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

export function countUtf16(text: string): number {
  return text.length
}

export function countUtf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Latin script counts one, all else two, as on networks that weigh by script. */
export function countWeighted(text: string): number {
  let count = 0
  for (const character of text) count += (character.codePointAt(0) ?? 0) <= 0x10ff ? 1 : 2
  return count
}
