/**
 * Owns the record of what was chosen for a post by what it did before, with the chances it was
 * chosen with. A post that is held out has no row that says what would have been done, so the
 * record stands by itself, and is written before the arm is drawn.
 */

import { z } from 'zod'
import type { PostId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { Explored } from '../../core/lift/explore.ts'
import type { Ledger } from '../../ledger/ledger.ts'

const collection = 'explored'
const pageSize = 500

const choiceSchema = z.object({
  chosen: z.string(),
  propensity: z.number(),
  options: z.array(z.object({ name: z.string(), chance: z.number() })),
})
const exploredSchema = z.object({
  action: choiceSchema.nullable(),
  template: choiceSchema.nullable(),
})

/**
 * Keeps what was chosen for a post that has no arm yet, or that nothing was. A plan may come to
 * nothing, and the next one chooses anew: the last choice before the draw is the one that counts.
 */
export async function keepChoice(
  ledger: Ledger,
  id: PostId,
  explored: Explored | null,
): Promise<void> {
  if (explored === null) {
    await ledger.deleteItem(collection, id)
    return
  }
  const value = explored as unknown as Json
  for (;;) {
    const known = await ledger.getItem(collection, id)
    if (await ledger.putItem(collection, id, value, known?.version ?? null)) return
  }
}

/** What was chosen for each post for which something was. */
export async function readChoices(ledger: Ledger): Promise<ReadonlyMap<string, Explored>> {
  const choices = new Map<string, Explored>()
  let after: string | null = null
  for (;;) {
    const items = await ledger.listItems(collection, { after, limit: pageSize })
    for (const { id, value } of items) {
      const parsed = exploredSchema.safeParse(value)
      if (parsed.success) choices.set(id, parsed.data)
    }
    if (items.length < pageSize) return choices
    after = items.at(-1)?.id ?? null
  }
}
