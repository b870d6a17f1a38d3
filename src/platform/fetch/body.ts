/** Owns reading the body of an answer: all of it, unpacked, and never more than it may be. */

import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { formatCount } from '../../core/wording.ts'
import type { Answer } from './exchange.ts'
import type { FetchError } from './fetch-error.ts'
import { brokenOff, failedAfterSending } from './sent-failure.ts'

export interface BodyLimits {
  readonly where: string
  readonly maximumBytes: number
  readonly signal: AbortSignal
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

export async function readBody(answer: Answer, limits: BodyLimits): Promise<Buffer> {
  const { message } = answer
  const { where, maximumBytes, signal } = limits
  // Where the size is known beforehand, nothing need be read.
  if (Number(message.headers['content-length'] ?? 0) > maximumBytes) throw tooLarge(limits)
  const decoder = decoderFor(message, where)
  const packed = new BoundedBytes(limits)
  const unpacked = new BoundedBytes(limits)
  const count = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      packed.count(chunk)
      yield chunk
    }
  }
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) unpacked.append(chunk)
  }
  try {
    if (decoder === null) await pipeline(message, collect, { signal })
    else await pipeline(message, count, decoder, collect, { signal })
  } catch (error) {
    // Nothing at all is a body too, though no decoder takes it for one.
    const isEmpty = decoder !== null && packed.size === 0 && message.complete
    if (!isEmpty || signal.aborted) {
      throw brokenOff(answer.brokenBy() ?? error, signal, where)
    }
  }
  return unpacked.bytes()
}

function decoderFor(message: IncomingMessage, where: string): Transform | null {
  const coding = (message.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return null
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  if (decoder !== undefined) return decoder()
  // This includes several codings on top of each other, which are only ever a bomb.
  const problem = 'the body is packed in a way that was not offered'
  throw failedAfterSending(where, 'malformed', problem)
}

/** One buffer that grows. A list of chunks would cost a hundredfold where each is one byte. */
class BoundedBytes {
  readonly #limits: BodyLimits
  #buffer = Buffer.alloc(0)
  #size = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  count(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#limits.maximumBytes) throw tooLarge(this.#limits)
  }

  append(chunk: Buffer): void {
    const start = this.#size
    this.count(chunk)
    if (this.#size > this.#buffer.length) {
      const grown = Buffer.alloc(Math.max(this.#size, 2 * this.#buffer.length))
      this.#buffer.copy(grown, 0, 0, start)
      this.#buffer = grown
    }
    chunk.copy(this.#buffer, start)
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }
}

function tooLarge({ where, maximumBytes }: BodyLimits): FetchError {
  const problem = `the body is larger than ${formatCount(maximumBytes)} bytes`
  return failedAfterSending(where, 'too_large', problem)
}
