/**
 * Owns the content id of a record: the hash of its DAG-CBOR form. A thread that is written at once
 * needs it, because each of its posts names the one before by its id.
 */

import { hash } from 'node:crypto'
import type { Json } from '../../core/json.ts'

/** CID version 1, DAG-CBOR, SHA-256 of 32 bytes. */
const prefix = Buffer.from([0x01, 0x71, 0x12, 0x20])
const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

export function contentId(record: Json): string {
  const bytes = Buffer.concat([prefix, hash('sha256', encode(record), 'buffer')])
  let [text, pending, bits] = ['b', 0, 0]
  for (const byte of bytes) {
    pending = (pending << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += base32.charAt((pending >> (bits - 5)) & 31)
    pending &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + base32.charAt((pending << (5 - bits)) & 31)
}

/** Major types of CBOR, as the high three bits of a head. */
const major = { unsigned: 0, negative: 1, text: 3, array: 4, map: 5 } as const

function encode(value: Json): Buffer {
  if (value === null) return Buffer.from([0xf6])
  if (typeof value === 'boolean') return Buffer.from([value ? 0xf5 : 0xf4])
  if (typeof value === 'number') return encodeInteger(value)
  if (typeof value === 'string') return encodeText(value)
  if (isList(value)) return Buffer.concat([head(major.array, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
    .map(([name, member]) => [encodeText(name), encode(member)] as const)
    // Shorter names come first, since the length is part of the head.
    .toSorted(([one], [other]) => Buffer.compare(one, other))
  return Buffer.concat([head(major.map, entries.length), ...entries.flat()])
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([head(major.text, bytes.length), bytes])
}

/** The network's records hold no other numbers. */
function encodeInteger(value: number): Buffer {
  if (!Number.isSafeInteger(value)) throw new Error('A record holds a number that is no integer')
  return value >= 0 ? head(major.unsigned, value) : head(major.negative, -1 - value)
}

function head(kind: number, value: number): Buffer {
  const high = kind << 5
  if (value < 24) return Buffer.from([high | value])
  if (value < 0x100) return Buffer.from([high | 24, value])
  if (value < 0x1_0000) return Buffer.from([high | 25, value >> 8, value & 0xff])
  const wide = value < 0x1_0000_0000
  const bytes = Buffer.alloc(wide ? 5 : 9)
  bytes[0] = high | (wide ? 26 : 27)
  if (wide) bytes.writeUInt32BE(value, 1)
  else bytes.writeBigUInt64BE(BigInt(value), 1)
  return bytes
}
