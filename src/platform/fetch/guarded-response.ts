/**
 * Owns an answer that was read in full. Answers carry tokens too: printed or serialised, one shows
 * its status, place and size only.
 */

import type { z } from 'zod'
import type { Json } from '../../core/json.ts'
import { FetchError } from './fetch-error.ts'

export interface ResponseParts {
  readonly status: number
  /** From `placeOf`: where the answer came from in the end. */
  readonly where: string
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly bytes: Buffer
}

export class GuardedResponse {
  readonly status: number
  readonly where: string
  readonly #headers: ReadonlyMap<string, string>
  readonly #bytes: Buffer

  constructor({ status, where, headers, bytes }: ResponseParts) {
    this.status = status
    this.where = where
    this.#headers = headers
    this.#bytes = bytes
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get size(): number {
    return this.#bytes.length
  }

  /** Null where it is absent; several of one name are joined with commas. */
  header(name: string): string | null {
    return this.#headers.get(name.toLowerCase()) ?? null
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#bytes)
  }

  text(): string {
    return new TextDecoder().decode(this.#bytes)
  }

  /** What a proxy or a captive portal gives in place of an answer. */
  looksLikeHtml(): boolean {
    const type = this.header('content-type') ?? ''
    if (/^\s*(text\/html|application\/xhtml)/i.test(type)) return true
    return /^\s*<(!doctype|html|head|body)/i.test(this.text().slice(0, 256))
  }

  /**
   * Whether it is a page for people where a program asked. A network refuses programs in their own
   * words; a page comes from something in between, and proves nothing about the network.
   */
  isPage(): boolean {
    return this.looksLikeHtml() && /^\s*</.test(this.text().slice(0, 256))
  }

  json(): Json {
    try {
      return JSON.parse(this.text()) as Json
    } catch {
      // The parser's own error quotes the text.
      throw this.#malformed(`the body is not JSON but ${this.#describeBody()}`)
    }
  }

  /** The body as JSON of the given shape. Where it differs, the error names the field only. */
  parse<Output>(schema: z.ZodType<Output>): Output {
    const parsed = schema.safeParse(this.json())
    if (parsed.success) return parsed.data
    const path = parsed.error.issues[0]?.path.map(String).join('.') ?? ''
    throw this.#malformed(`the body has an unexpected ${path === '' ? 'shape' : `field ${path}`}`)
  }

  toJSON(): object {
    return { status: this.status, where: this.where, size: this.size }
  }

  toString(): string {
    return `GuardedResponse(${this.status} from ${this.where}, ${this.size} bytes)`
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }

  #describeBody(): string {
    if (this.size === 0) return 'empty'
    return this.looksLikeHtml() ? 'an HTML page' : 'something else'
  }

  #malformed(problem: string): FetchError {
    return new FetchError({ kind: 'malformed', sent: true, where: this.where, problem })
  }
}

/** Thrown for an answer that is not the one hoped for. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly response: GuardedResponse

  constructor(response: GuardedResponse) {
    super(`${response.where}: answered ${response.status}`)
    this.response = response
  }
}

/** Gives the answer back if it is a success, and throws it otherwise. */
export function requireOk(response: GuardedResponse): GuardedResponse {
  if (!response.ok) throw new AnswerError(response)
  return response
}
