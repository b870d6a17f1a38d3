/**
 * Owns telling whether a post may be English. The built-in texts are, and an English remark under a
 * post in another language reads as if a stranger had written it. In doubt it may be.
 */

const readCharacters = 2000

/** Frequent words that hardly occur in the other language. */
const english = toSet(
  'the and of to is are was were be been it its this that these those you your we our they their',
  'he she his her my i with for from have has had not but what when how why who if as at by on or',
  'an will would can could should do does did just about into than then there here more so',
)
const others = toSet(
  // German, Dutch and the Nordic languages
  'und der das ist nicht ich wir ein eine einen mit für auf den von dem auch sind sich wie aber',
  'het een niet voor zijn maar deze och att det som är jag inte på ikke jeg og til',
  // French, Spanish, Portuguese and Italian
  'le les et est une des pas je nous vous que qui pour dans avec sur mais el los las es una por',
  'para con del pero muy está não um você isso são il gli non che sono questo anche di',
  // Polish, Czech, Turkish, Indonesian, Vietnamese, Finnish and Hungarian
  'nie się jest że jak ale není jsem bir ve için değil yang dan ini itu tidak untuk của không',
  'là ja ei että hogy nem egy és',
)

export function mayBeEnglish(text: string): boolean {
  const read = text.slice(0, readCharacters)
  const latin = count(read, /\p{Script=Latin}/gu)
  if (count(read, /\p{L}/gu) > 2 * latin) return false
  const words = read.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  const foreign = words.filter((word) => others.has(word)).length
  return foreign < 2 || foreign <= words.filter((word) => english.has(word)).length
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function toSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '))
}
