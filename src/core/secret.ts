/** Owns the wrapper around anything that must never be printed. */

const redacted = '[redacted]'

/** Holds a secret. However it is printed, logged or serialised, it shows only that it is one. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The one way to the value. Call it at the last moment, where it is used. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return redacted
  }

  toJSON(): string {
    return redacted
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return redacted
  }
}
