/**
 * Owns finding what a text points to: links, people, hashtags. Networks turn more into a link than
 * its author may mean, so whatever one of them could link counts. Every search is linear, because a
 * post can be long and hostile.
 */

const schemeLink = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"“”«»<>]+/giu
const opaqueLink = /\b(?:mailto|tel|sms|nostr|lightning|bitcoin|magnet|data|javascript):\S+/giu
/** Some networks see a letter before the at sign only where it is a Latin one without a mark. */
const mention = /(?<![A-Za-z0-9_])@[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?:@[\p{L}\p{N}.-]+)?/gu
/** One behind a slash belongs to the path of a link. */
const mentionOutsidePath = /(?<![A-Za-z0-9_/])@[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?:@[\p{L}\p{N}.-]+)?/gu
const hashtag = /(?<![\p{L}\p{N}_&/])#[\p{L}\p{N}_]+/gu
const run = /[\p{L}\p{M}\p{N}_.-]+/gu
/** A dot between two words makes a domain, whatever follows: some networks link that far. */
const domain = /[\p{L}\p{M}\p{N}]\.\p{L}{2}/u
const path = /[/?#:][^\s"“”«»<>]*/uy
const trailing = /[\p{P}\p{S}]$/u

/** Links in the form in which two of them can be compared. */
export function findLinks(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  let rest = text.normalize('NFKC')
  for (const pattern of [schemeLink, opaqueLink]) {
    rest = rest.replaceAll(pattern, (link) => {
      found.add(normalizeLink(link))
      return ' '
    })
  }
  for (const link of bareLinks(rest.replaceAll(mentionOutsidePath, ' '))) found.add(link)
  return found
}

/** Domains that stand without a scheme, each with the path behind it. */
function* bareLinks(text: string): Iterable<string> {
  let from = 0
  for (const { 0: host, index } of text.matchAll(run)) {
    if (index < from || !domain.test(host)) continue
    path.lastIndex = index + host.length
    const link = host + (path.exec(text)?.[0] ?? '')
    from = index + link.length
    yield normalizeLink(link)
  }
}

/** People named with an at sign, in lower case. Within an address nobody is called. */
export function findMentions(text: string): ReadonlySet<string> {
  const found = text.normalize('NFKC').replaceAll(schemeLink, ' ').matchAll(mention)
  return new Set(Array.from(found, ([name]) => normalizeMention(name)))
}

export function normalizeMention(name: string): string {
  const bare = name.normalize('NFKC').toLowerCase().replace(/^@/, '')
  return withoutEnd(bare, (character) => character === '.' || character === '-')
}

/** Hashtags, in lower case; a bare number is none. */
export function findHashtags(text: string): ReadonlySet<string> {
  const found = text.normalize('NFKC').matchAll(hashtag)
  const tags = Array.from(found, ([tag]) => tag.toLowerCase())
  return new Set(tags.filter((tag) => /\p{L}/u.test(tag)))
}

/** True where a link is the entry itself or lies below it; an entry is a domain or an address. */
export function isBelow(link: string, entry: string): boolean {
  const base = normalizeLink(entry)
  return link === base || ['/', '?', '#'].some((mark) => link.startsWith(`${base}${mark}`))
}

/** Host names do not care for case, paths do; punctuation at the end belongs to the sentence. */
function normalizeLink(link: string): string {
  const bare = link.normalize('NFKC').replace(/^https?:\/\//i, '')
  const trimmed = withoutEnd(bare, (character) => trailing.test(character))
  const end = trimmed.search(/(?<![:/])[/?#]/)
  return end < 0 ? trimmed.toLowerCase() : trimmed.slice(0, end).toLowerCase() + trimmed.slice(end)
}

function withoutEnd(text: string, isLoose: (character: string) => boolean): string {
  let end = text.length
  while (end > 0 && isLoose(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
