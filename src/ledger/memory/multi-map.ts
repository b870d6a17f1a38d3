/** A map from a key to a list of rows in the order they were added. */

export class MultiMap<Key, Row> {
  readonly #lists = new Map<Key, Row[]>()

  get(key: Key): readonly Row[] {
    return this.#lists.get(key) ?? []
  }

  add(key: Key, row: Row): void {
    const list = this.#lists.get(key)
    if (list === undefined) this.#lists.set(key, [row])
    else list.push(row)
  }

  /** Puts the row in the place of the one that is the same, or at the end. */
  replace(key: Key, row: Row, isSame: (other: Row) => boolean): void {
    const list = this.#lists.get(key) ?? []
    const index = list.findIndex(isSame)
    if (index === -1) this.add(key, row)
    else list[index] = row
  }

  map(key: Key, change: (row: Row) => Row): void {
    const list = this.#lists.get(key)
    if (list !== undefined) this.#lists.set(key, list.map(change))
  }

  *values(): Iterable<Row> {
    for (const list of this.#lists.values()) yield* list
  }
}
