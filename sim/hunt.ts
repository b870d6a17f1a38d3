/** Looks for planted bugs: simulates with each of them until the auditor has reported it. */

import type { Violation } from './auditor/scene.ts'
import { inParallel } from './parallel.ts'
import type { PlantedBug } from './planted-bugs/planted-bug.ts'

export interface Hunt {
  readonly bug: PlantedBug
  /** The seed with which it was caught, or null. */
  readonly seed: number | null
  /** What the auditor reported first, with each seed that was tried. */
  readonly reported: readonly Violation[]
}

/** Short years: the calm, in which all must resolve, comes sooner. */
const days = 160
const mostSeeds = 12

export async function hunt(bugs: readonly PlantedBug[]): Promise<readonly Hunt[]> {
  const hunts = new Map<PlantedBug, Hunt>()
  await inParallel(bugs, async (bug, simulate) => {
    const reported: Violation[] = []
    let seed: number | null = null
    for (let next = 1; next <= mostSeeds && seed === null; next += 1) {
      const { violations } = await simulate({ seed: next, days, bug: bug.name })
      const [first] = violations
      if (first !== undefined) reported.push(first)
      if (first?.promise === bug.breaks) seed = next
    }
    hunts.set(bug, { bug, seed, reported })
  })
  return bugs.map((bug) => hunts.get(bug) as Hunt)
}
