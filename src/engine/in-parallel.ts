/** Owns doing the same for many, some at once. */

/** What is under way ends before this does, also where one of them fails; then none is begun. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const item = items[next] as Item
      next += 1
      try {
        await run(item)
      } catch (error) {
        next = items.length
        throw error
      }
    }
  }
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, work)
  await Promise.allSettled(workers)
  await Promise.all(workers)
}
