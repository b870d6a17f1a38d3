/** Owns how texts are counted on a server, and when two of them say the same. */

const url = /\bhttps?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}…]/giu
const mention =
  /(?<![\p{L}\p{N}_/])@([\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)*)@[\p{L}\p{N}.:-]*[\p{L}\p{N}]/gu

export interface Counting {
  readonly charactersPerUrl: number
  /** Mastodon counts what people see as one character; others count code points. */
  readonly byGrapheme: boolean
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Every link counts the same, and the server of a mention does not count. */
export function createMeasure({
  charactersPerUrl,
  byGrapheme,
}: Counting): (text: string) => number {
  const link = 'x'.repeat(charactersPerUrl)
  return (text) => {
    const counted = text.replace(url, link).replace(mention, '@$1')
    return byGrapheme ? [...graphemes.segment(counted)].length : countCodePoints(counted)
  }
}

function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** A text without what servers change about it: spaces, composed characters, servers' names. */
export function canonical(text: string): string {
  return text.normalize('NFC').replace(mention, '@$1').replace(/\s+/gu, ' ').trim()
}

/** Servers may take some signs for formatting; the words are what is left of any text. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [canonical(one), canonical(other)]
  if (a === b) return true
  const words = wordsOf(a)
  return words !== '' && words === wordsOf(b)
}

function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{So}]/gu, '')
}
