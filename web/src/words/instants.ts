/** Owns finding the instants in a sentence. Pure. */

export interface SentencePart {
  readonly text: string
  /** Epoch milliseconds where the part is an instant, else null. */
  readonly at: number | null
}

const instant = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))/

export function splitInstants(sentence: string): readonly SentencePart[] {
  return sentence
    .split(instant)
    .filter((text) => text !== '')
    .map((text) => ({ text, at: instant.test(text) ? Date.parse(text) : null }))
}
