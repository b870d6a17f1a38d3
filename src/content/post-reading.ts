/**
 * Owns what can be taken from a post's own text: its sentences, a line to quote, its question, its
 * points. Nothing is made up, and nothing that would ping people or repeat a link is taken.
 */

import { hasHiddenCharacters } from './hidden-characters.ts'
import { findHashtags, findLinks, findMentions } from './references.ts'
import { shorten } from './shorten.ts'
import type { Room } from './shorten.ts'
import { comparableWords } from './similarity.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
/** A text is read so far; what stands further on is not quoted. */
const readCharacters = 10_000
const mostSentences = 60
/** Shorter sentences say too little by themselves, longer ones are no quote. */
const quoteWords = { minimum: 4, maximum: 24 }
/** How much of a text's room a quote may take, and a point of a thread. */
const quoteShare = 0.5
const pointShare = 0.7

export interface PostReading {
  readonly firstLine: string
  readonly sentences: readonly string[]
  /** The last thing the post asks, or null. */
  readonly question: string | null
  /** Statements that can stand by themselves, in the order of the post. */
  readonly quotes: readonly string[]
  /** What a thread can take up one by one; the post's opening only where little else is there. */
  readonly points: readonly string[]
}

export function readPost(text: string, room: Room): PostReading {
  // A cut may leave half a character and half a sentence; both are dropped with the last one.
  const read = text.slice(0, readCharacters).toWellFormed()
  const sentences = splitSentences(read, text.length > readCharacters)
  const plain = sentences.filter(canStandAlone)
  const within = (share: number): Room => ({
    measure: room.measure,
    maximumLength: Math.floor(room.maximumLength * share),
  })
  const quotable = within(quoteShare)
  const fitsQuote = (sentence: string) => room.measure(sentence) <= quotable.maximumLength
  const statements = plain.filter((sentence) => !isQuestion(sentence))
  const later = statements.filter((sentence) => sentence !== sentences[0])
  return {
    firstLine: tidyLine(read.trimStart().split(/[\r\n]/, 1)[0] ?? ''),
    sentences,
    question: plain.findLast((sentence) => isQuestion(sentence) && fitsQuote(sentence)) ?? null,
    quotes: statements.filter((sentence) => isQuoteLong(sentence) && fitsQuote(sentence)),
    points: (later.length >= 2 ? later : statements).flatMap(
      (sentence) => shorten(sentence, within(pointShare)) ?? [],
    ),
  }
}

/** Sentences in order, each on one line and without the mark of a list. */
function splitSentences(text: string, isCut: boolean): readonly string[] {
  const sentences = text
    .split(/[\r\n]+/)
    .flatMap((line) =>
      Array.from(segmenter.segment(withoutListMark(line)), ({ segment }) => tidyLine(segment)),
    )
  return (isCut ? sentences.slice(0, -1) : sentences)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .slice(0, mostSentences)
}

function tidyLine(text: string): string {
  return text.split(/\s+/u).filter(Boolean).join(' ')
}

function withoutListMark(line: string): string {
  return line.replace(/^\s*(?:[-*•‣–—·]|\d{1,2}[.)])\s+/u, '')
}

/** Quotation marks within a quote would not be told from its own. */
function canStandAlone(sentence: string): boolean {
  return (
    comparableWords(sentence).length >= quoteWords.minimum &&
    !/["“”„«»@]/u.test(sentence) &&
    !hasHiddenCharacters(sentence) &&
    findLinks(sentence).size + findMentions(sentence).size + findHashtags(sentence).size === 0
  )
}

function isQuestion(sentence: string): boolean {
  return /[?？؟]$/u.test(sentence)
}

function isQuoteLong(sentence: string): boolean {
  return comparableWords(sentence).length <= quoteWords.maximum
}
