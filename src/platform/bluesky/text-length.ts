/** Owns how the network counts a text: at most 300 graphemes, and at most 3,000 bytes. */

import type { LengthLimit } from '../platform.ts'

const maximumGraphemes = 300
const bytesPerGrapheme = 10

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Both limits in one figure: ten bytes weigh as much as one grapheme. */
function measure(text: string): number {
  let graphemes = 0
  for (const _ of segmenter.segment(text)) graphemes += 1
  return Math.max(graphemes, Math.ceil(Buffer.byteLength(text) / bytesPerGrapheme))
}

export const textLength: LengthLimit = { maximum: maximumGraphemes, measure }
