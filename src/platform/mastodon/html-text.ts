/**
 * Owns reading a post's HTML as the text that its author typed: paragraphs and breaks as lines,
 * links in full, mentions with the server that the page leaves out.
 */

/** In whom a post mentions: the address of the profile, and the name with its server. */
export interface Mention {
  readonly acct: string
  readonly url: string
}

const piece = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|<!--[^>]*-->|&(#?[a-z0-9]{1,10});|[^<&]+|[<&]/gi

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

const blocks = new Set(['p', 'div', 'blockquote', 'pre', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4'])

export function htmlToText(html: string, mentions: readonly Mention[]): string {
  const names = new Map(mentions.map(({ acct, url }) => [url, acct]))
  let text = ''
  /** The tag whose end is awaited while all inside it is passed over. */
  let skipped: string | null = null
  for (const [whole, close, name = '', attributes = '', entity] of html.matchAll(piece)) {
    const tag = name.toLowerCase()
    if (skipped !== null) {
      if (close === '/' && tag === skipped) skipped = null
      continue
    }
    if (entity !== undefined) text += decodeEntity(entity, whole)
    else if (tag === '') text += whole.startsWith('<!--') ? '' : whole
    else if (tag === 'br') text += '\n'
    else if (close === '/') text += blocks.has(tag) ? '\n\n' : tag === 'li' ? '\n' : ''
    else if (isQuoteLine(attributes)) skipped = tag
    else if (tag === 'a' && isMention(attributes)) {
      const acct = names.get(attribute(attributes, 'href'))
      if (acct === undefined) continue
      text += `@${acct}`
      skipped = 'a'
    }
  }
  return text.replace(/\n{3,}/g, '\n\n').trim()
}

/** A line that servers put before a quote, for those that know no quotes. */
const isQuoteLine = (attributes: string): boolean =>
  attribute(attributes, 'class').split(/\s+/).includes('quote-inline')

function isMention(attributes: string): boolean {
  const classes = attribute(attributes, 'class').split(/\s+/)
  return classes.includes('mention') && !classes.includes('hashtag')
}

function attribute(attributes: string, name: string): string {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes)
  const value = match?.[1] ?? match?.[2] ?? ''
  return value.replace(/&(#?[a-z0-9]{1,10});/gi, (whole, entity: string) =>
    decodeEntity(entity, whole),
  )
}

function decodeEntity(entity: string, whole: string): string {
  const number = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(entity)
  if (number === null) return entities[entity.toLowerCase()] ?? whole
  const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : whole
}
