/** Owns making a text fit: it ends at a sentence or a word, and an ellipsis says it went on. */

const ellipsis = '…'
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A sentence end is preferred if so much of the room is used; else a word end is. */
const sentenceShare = 0.6

export interface Room {
  readonly maximumLength: number
  readonly measure: (text: string) => number
}

/** The text itself where it fits; null where not even its beginning does. */
export function shorten(text: string, room: Room): string | null {
  if (fits(text, room)) return text
  const atSentence = longest(text, sentenceEnds(text), room, ` ${ellipsis}`)
  if (atSentence !== null && room.measure(atSentence) >= sentenceShare * room.maximumLength) {
    return atSentence
  }
  return (
    longest(text, wordEnds(text), room, ellipsis) ??
    longest(text, graphemeEnds(text), room, ellipsis)
  )
}

function fits(text: string, { measure, maximumLength }: Room): boolean {
  return measure(text) <= maximumLength
}

/**
 * Doubles its steps and then halves them, so that a long text costs no more than a short one. What
 * it answers was measured: a network's count need not grow with every character.
 */
function longest(text: string, ends: Iterable<number>, room: Room, mark: string): string | null {
  const upTo = (end: number) => withoutLooseEnd(text.slice(0, end)) + mark
  const seen: number[] = []
  let next = 1
  for (const end of ends) {
    seen.push(end)
    if (seen.length < next) continue
    if (!fits(upTo(end), room)) break
    next *= 2
  }
  let low = -1
  let high = seen.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(upTo(seen[middle] ?? 0), room)) low = middle
    else high = middle
  }
  const end = seen[low]
  const cut = end === undefined ? mark : upTo(end)
  return cut === mark ? null : cut
}

/** A comma before an ellipsis is a slip. */
function withoutLooseEnd(text: string): string {
  let end = text.length
  while (end > 0 && /[\s,;:–—-]/u.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

function* sentenceEnds(text: string): Iterable<number> {
  for (const { index, segment } of sentences.segment(text)) {
    // A sentence that was not finished has no end to stop at.
    if (/[.!?。！？…]["'”’»)\]]*\s*$/u.test(segment.slice(-20))) {
      yield index + segment.trimEnd().length
    }
  }
}

function* wordEnds(text: string): Iterable<number> {
  for (const { index } of text.matchAll(/(?<=\S)\s/gu)) yield index
}

function* graphemeEnds(text: string): Iterable<number> {
  for (const { index, segment } of graphemes.segment(text)) yield index + segment.length
}
