/**
 * Owns taking a JSON array apart without losing a character: where each element begins and ends,
 * and on which line. Values are not its business; `JSON.parse` makes them of the elements.
 */

/** One element, exactly as it stands in the text. */
export interface ArrayElement {
  readonly text: string
  /** The line on which it begins, counted from 1. */
  readonly line: number
}

/** Thrown where the text is not one JSON array. */
export class JsonArrayError extends Error {
  override readonly name = 'JsonArrayError'
  /** The line on which it went wrong, counted from 1. */
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.line = line
  }
}

/** Splits the text of an array into the texts of its elements. */
export function splitJsonArray(text: string): readonly ArrayElement[] {
  return new Scanner(text).array()
}

const scalarPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escapePattern = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

const quote = 0x22
const backslash = 0x5c
const firstPrintable = 0x20

class Scanner {
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  array(): readonly ArrayElement[] {
    const elements: ArrayElement[] = []
    this.#skipSpace()
    if (!this.#take('[')) this.#fail('the file must hold a JSON array, so "[" is expected')
    this.#skipSpace()
    if (!this.#take(']')) {
      do elements.push(this.#element())
      while (this.#take(','))
      if (!this.#take(']')) this.#fail('"," or "]" is expected')
    }
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('nothing may follow the array')
    return elements
  }

  #element(): ArrayElement {
    this.#skipSpace()
    const from = this.#at
    const line = this.#line
    this.#value()
    const text = this.#text.slice(from, this.#at)
    this.#skipSpace()
    return { text, line }
  }

  /** Steps over one value. It keeps its own stack: a file must not be able to overflow ours. */
  #value(): void {
    const closers: ('}' | ']')[] = []
    do {
      this.#skipSpace()
      const closer = this.#take('{') ? '}' : this.#take('[') ? ']' : null
      if (closer === null) this.#scalar()
      else {
        this.#skipSpace()
        if (!this.#take(closer)) {
          if (closer === '}') this.#name()
          closers.push(closer)
          continue
        }
      }
      this.#closeOrGoOn(closers)
    } while (closers.length > 0)
  }

  /** After a value: closes what ends here, and stops where another value must follow. */
  #closeOrGoOn(closers: ('}' | ']')[]): void {
    for (let closer = closers.at(-1); closer !== undefined; closer = closers.at(-1)) {
      this.#skipSpace()
      if (this.#take(',')) {
        this.#skipSpace()
        if (closer === '}') this.#name()
        return
      }
      if (!this.#take(closer)) this.#fail(`"," or "${closer}" is expected`)
      closers.pop()
    }
  }

  #name(): void {
    if (this.#text.charCodeAt(this.#at) !== quote) this.#fail('a field name in "…" is expected')
    this.#string()
    this.#skipSpace()
    if (!this.#take(':')) this.#fail('":" is expected')
  }

  #scalar(): void {
    if (this.#text.charCodeAt(this.#at) === quote) this.#string()
    else if (!this.#match(scalarPattern)) this.#fail('a JSON value is expected')
  }

  #string(): void {
    this.#at += 1
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === backslash) {
        if (!this.#match(escapePattern))
          this.#fail('a text holds an escape that JSON does not have')
        continue
      }
      // Past the end the code is NaN, for which this comparison is false as well.
      if (!(code >= firstPrintable)) this.#fail('a text does not end on its line')
      this.#at += 1
      if (code === quote) return
    }
  }

  /** Line breaks stand only between values: inside a text they are escaped. */
  #skipSpace(): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at]
      if (character === '\n') this.#line += 1
      else if (character !== ' ' && character !== '\r' && character !== '\t') return
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) return false
    this.#at = pattern.lastIndex
    return true
  }

  #fail(problem: string): never {
    const rest = this.#text.slice(this.#at, this.#at + 20)
    const found = rest === '' ? 'the file ends' : `${JSON.stringify(rest)} stands`
    throw new JsonArrayError(this.#line, `${problem} where ${found}`)
  }
}
