/**
 * Owns telling that two texts say the same in nearly the same words. Case, white space,
 * punctuation, emoji and the values of numbers do not make a text another one. What is left is
 * compared as pairs of neighbouring words:
 *
 *   similarity = |pairs in both| / |pairs in either|     (the Jaccard index)
 *
 * Of eight words one may be exchanged before it falls to a half; two templates with another quote
 * in them lie far below. The longer the text, the more of it has to be new.
 */

import { RecentMap } from '../core/recent-map.ts'

/** From here on a text is refused as a repetition. */
export const nearlyIdentical = 0.5

/** What a text says further on is not read: nobody is told apart by their thousandth word. */
const comparedCharacters = 20_000

/** In these scripts words are not set apart, so each character counts as one. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}'
const word = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{M}'])+|\\p{N}+`, 'gu')

/** The words of a text without anything that does not make it another text. */
export function comparableWords(text: string): readonly string[] {
  const plain = text.slice(0, comparedCharacters).normalize('NFKC').toLowerCase()
  const found = plain.replaceAll('’', "'").matchAll(word)
  return Array.from(found, ([part]) => (/^\p{N}/u.test(part) ? '0' : part))
}

/** From 0, nothing in common, to 1. Two texts without any words cannot be told apart. */
export function similarity(one: string, other: string): number {
  const left = pairsOf(one)
  const right = pairsOf(other)
  if (left.size === 0 && right.size === 0) return 1
  const shared = left.intersection(right).size
  return shared / (left.size + right.size - shared)
}

/** The first of the texts that the given one nearly repeats, or null. */
export function findRepeated(text: string, earlier: readonly string[]): string | null {
  return earlier.find((known) => similarity(text, known) >= nearlyIdentical) ?? null
}

/** True where all that a text says stands, word for word, in the other one already. */
export function isSaidIn(text: string, other: string): boolean {
  const said = comparableWords(text)
  return said.length > 0 && ` ${comparableWords(other).join(' ')} `.includes(` ${said.join(' ')} `)
}

/** Recent texts are compared with every new one, so the pairs of the last few are kept. */
const kept = new RecentMap<string, ReadonlySet<string>>(256)
const longestKept = 4000

function pairsOf(text: string): ReadonlySet<string> {
  const known = kept.get(text)
  if (known !== undefined) return known
  const found = pair(comparableWords(text))
  if (text.length > longestKept) return found
  kept.set(text, found)
  return found
}

/** A single word is a pair with nothing before it. */
function pair(words: readonly string[]): ReadonlySet<string> {
  if (words.length === 1) return new Set(words)
  return new Set(words.slice(1).map((second, index) => `${words[index]} ${second}`))
}
