/**
 * Owns a memory of bounded size. What was set longest ago is forgotten half of it at a time: a Map
 * that forgets one by one passes over all that it forgot before, to find the oldest.
 */

export class RecentMap<Key, Value> {
  readonly #half: number
  #newer = new Map<Key, Value>()
  #older = new Map<Key, Value>()

  /** It never holds more than `most`, and of those set last at least half as many. */
  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2))
  }

  get(key: Key): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key)
  }

  set(key: Key, value: Value): void {
    if (this.#newer.size >= this.#half && !this.#newer.has(key)) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, value)
  }
}
