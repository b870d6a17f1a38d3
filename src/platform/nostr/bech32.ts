/**
 * Owns the form in which people copy keys and links to notes (NIP-19): bech32, which notices a
 * mistyped letter. An error never repeats what was entered, because that may be a private key.
 */

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const checksumLetters = 6
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** What was decoded: `npub` and its key, for example. */
export interface Decoded {
  readonly prefix: string
  readonly bytes: Uint8Array
}

export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const words = regroup(bytes, 8, 5, true) ?? []
  const all = [...words, ...checksumOf(prefix, words)]
  return `${prefix}1${all.map((word) => alphabet.charAt(word)).join('')}`
}

/** Null where it is not bech32, or a letter of it is wrong. */
export function decodeBech32(text: string): Decoded | null {
  // One case only, or the other would be another way to write the same key.
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null
  const lower = text.toLowerCase()
  const separator = lower.lastIndexOf('1')
  if (separator < 1 || lower.length - separator - 1 < checksumLetters) return null
  const prefix = lower.slice(0, separator)
  const words = lettersOf(lower.slice(separator + 1)).map((letter) => alphabet.indexOf(letter))
  if (words.includes(-1) || polymod([...expand(prefix), ...words]) !== 1) return null
  const bytes = regroup(words.slice(0, -checksumLetters), 5, 8, false)
  return bytes === null ? null : { prefix, bytes: Uint8Array.from(bytes) }
}

export interface EventPointer {
  readonly id: string
  readonly author: string
  readonly relay: string | null
}

const pointerFields = { id: 0, relay: 1, author: 2 } as const
const longestField = 255

/** A note with where it is to be found, so that a reader who knows nothing of us finds it. */
export function encodeEventPointer({ id, author, relay }: EventPointer): string {
  const relayBytes = Buffer.from(relay ?? '')
  const field = (type: number, value: Uint8Array) => [type, value.length, ...value]
  const hasRelay = relayBytes.length > 0 && relayBytes.length <= longestField
  return encodeBech32(
    'nevent',
    Uint8Array.from([
      ...field(pointerFields.id, Buffer.from(id, 'hex')),
      ...(hasRelay ? field(pointerFields.relay, relayBytes) : []),
      ...field(pointerFields.author, Buffer.from(author, 'hex')),
    ]),
  )
}

/** From groups of some bits to groups of others. Null where bits are left over that are not 0. */
function regroup(
  groups: Iterable<number>,
  from: number,
  to: number,
  isPadded: boolean,
): number[] | null {
  const result: number[] = []
  let held = 0
  let bits = 0
  for (const group of groups) {
    held = ((held << from) | group) & 0xfff
    bits += from
    while (bits >= to) {
      bits -= to
      result.push((held >> bits) & ((1 << to) - 1))
    }
  }
  const rest = (held << (to - bits)) & ((1 << to) - 1)
  if (isPadded) {
    if (bits > 0) result.push(rest)
    return result
  }
  return bits >= from || rest !== 0 ? null : result
}

function checksumOf(prefix: string, words: readonly number[]): number[] {
  const padding = Array.from({ length: checksumLetters }, () => 0)
  const sum = polymod([...expand(prefix), ...words, ...padding]) ^ 1
  return padding.map((_, index) => (sum >> (5 * (checksumLetters - 1 - index))) & 31)
}

const lettersOf = (text: string): string[] => text.split('')

function expand(prefix: string): number[] {
  const codes = lettersOf(prefix).map((letter) => letter.charCodeAt(0))
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

function polymod(words: readonly number[]): number {
  let sum = 1
  for (const word of words) {
    const top = sum >> 25
    sum = ((sum & 0x1ffffff) << 5) ^ word
    for (const [index, part] of generator.entries()) if ((top >> index) & 1) sum ^= part
  }
  return sum
}
