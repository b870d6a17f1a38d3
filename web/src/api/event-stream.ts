/** Owns reading a stream of server-sent events, piece by piece as it arrives. Pure. */

export interface StreamMessage {
  readonly id: string | null
  readonly event: string
  readonly data: string
}

/** Takes pieces that may end anywhere, also within a line, and gives whole messages. */
export class EventStreamReader {
  #rest = ''
  #id: string | null = null
  #event = ''
  #data: string[] = []

  read(piece: string): readonly StreamMessage[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line))
  }

  #take(line: string): readonly StreamMessage[] {
    if (line === '') return this.#finish()
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    return []
  }

  #finish(): readonly StreamMessage[] {
    const data = this.#data
    const event = this.#event === '' ? 'message' : this.#event
    this.#data = []
    this.#event = ''
    return data.length === 0 ? [] : [{ id: this.#id, event, data: data.join('\n') }]
  }
}
