/**
 * Owns which characters nobody sees: controls, marks that turn the direction of writing, and the
 * tags that can carry a hidden text. What is said in public must read as it was approved.
 */

/** Joiners are needed within emoji and in several scripts; they hide nothing. */
const hidden = /(?![\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/** The flags of England, Scotland and Wales are spelled with tags behind a black flag. */
const tagFlags = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{2,6}\u{E007F}/gu

/** True where something stands in the text that is not shown, a line break aside. */
export function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text.replaceAll(tagFlags, ''))
}
