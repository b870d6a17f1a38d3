/** A map from a key to a list of rows, in the order they were added or in one that is given. */

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

  /** Adds a row behind all that it does not belong before. The list must be ordered so already. */
  addInOrder(key: Key, row: Row, belongsBefore: (other: Row) => boolean): void {
    const list = this.#lists.get(key)
    if (list === undefined) {
      this.#lists.set(key, [row])
      return
    }
    let place = list.length
    while (place > 0 && belongsBefore(list[place - 1] as Row)) place -= 1
    list.splice(place, 0, row)
  }

  /** Puts the row in the place of the one that is the same. False where there is none. */
  replace(key: Key, row: Row, isSame: (other: Row) => boolean): boolean {
    const list = this.#lists.get(key) ?? []
    const index = list.findIndex(isSame)
    if (index >= 0) list[index] = row
    return index >= 0
  }

  filter(key: Key, isKept: (row: Row, index: number, rows: readonly Row[]) => boolean): void {
    const list = this.#lists.get(key)
    if (list !== undefined) this.#lists.set(key, list.filter(isKept))
  }

  map(key: Key, change: (row: Row) => Row): void {
    const list = this.#lists.get(key)
    if (list !== undefined) this.#lists.set(key, list.map(change))
  }
}
