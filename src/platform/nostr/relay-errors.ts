/**
 * Owns the errors of a conversation with relays. Their messages are our own words: what a relay
 * says is not repeated, only the word by which it says why.
 */

/** The word before the colon in a refusal (NIP-01, NIP-42). */
export const refusalWords = [
  'duplicate',
  'pow',
  'blocked',
  'rate-limited',
  'invalid',
  'restricted',
  'auth-required',
  'unsupported',
  'error',
  /** Not one of the words of the protocol: a refusal whose kind is of our own making. */
  'spam',
  'other',
] as const
export type RefusalWord = (typeof refusalWords)[number]

export function refusalWordOf(reason: string): RefusalWord {
  const word = /^\s*([a-z-]{1,20}):/i.exec(reason)?.[1]?.toLowerCase() ?? ''
  // There is no word for spam, so relays block it and say so.
  if ((word === 'blocked' || word === 'restricted') && /\bspam/i.test(reason)) return 'spam'
  return refusalWords.find((known) => known === word) ?? 'other'
}

/** A relay answered, and turned down what it was asked. */
export class RelayRefusal extends Error {
  override readonly name = 'RelayRefusal'
  readonly relay: string
  readonly word: RefusalWord

  constructor(relay: string, reason: string) {
    const word = refusalWordOf(reason)
    super(`${relay} refused (${word}).`)
    this.relay = relay
    this.word = word
  }
}

/** A relay sent something that is no message, or not the one that has to follow. */
export class RelayNonsense extends Error {
  override readonly name = 'RelayNonsense'

  constructor(relay: string) {
    super(`${relay} gave an answer that cannot be used.`)
  }
}

/** No relay did what was asked. Holds what each of them came to. */
export class RelaysFailed extends Error {
  override readonly name = 'RelaysFailed'
  readonly failures: readonly unknown[]

  constructor(failures: readonly unknown[]) {
    super(failures.length === 1 ? 'The relay did not do it.' : 'No relay did it.')
    this.failures = failures
  }
}

/** Something failed before a write was sent, so that nothing can have landed. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
  readonly failure: unknown

  constructor(failure: unknown) {
    super('Nothing was sent.')
    this.failure = failure
  }
}

/** The post, or the segment before, is not there any more; nothing was sent. */
export class GroundLost extends Error {
  override readonly name = 'GroundLost'
}

/** Relays took the request to delete something and still show it. */
export class StillThere extends Error {
  override readonly name = 'StillThere'
}
