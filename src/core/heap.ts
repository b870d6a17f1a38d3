/** Owns keeping things so that the first of them is at hand: a binary heap. */

export class Heap<Item> {
  readonly #items: Item[] = []
  readonly #isBefore: (a: Item, b: Item) => boolean

  constructor(isBefore: (a: Item, b: Item) => boolean) {
    this.#isBefore = isBefore
  }

  get first(): Item | undefined {
    return this.#items[0]
  }

  add(item: Item): void {
    const items = this.#items
    let place = items.push(item) - 1
    while (place > 0) {
      const parent = (place - 1) >>> 1
      if (!this.#isBefore(item, items[parent] as Item)) break
      items[place] = items[parent] as Item
      place = parent
    }
    items[place] = item
  }

  removeFirst(): void {
    const last = this.#items.pop()
    if (last !== undefined && this.#items.length > 0) this.#settle(last)
  }

  /** The first has changed, and may not be the first any more. */
  firstChanged(): void {
    const [item] = this.#items
    if (item !== undefined) this.#settle(item)
  }

  /** Puts the item in the first place and lets it sink from there. */
  #settle(item: Item): void {
    const items = this.#items
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= items.length) break
      const right = child + 1
      if (right < items.length && this.#isBefore(items[right] as Item, items[child] as Item)) {
        child = right
      }
      if (!this.#isBefore(items[child] as Item, item)) break
      items[place] = items[child] as Item
      place = child
    }
    items[place] = item
  }
}
