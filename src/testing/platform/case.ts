/** Owns the shape of a case: a sentence that must be true of a connector, and how to show it. */

import type { PlatformSuite } from './harness.ts'
import { World } from './world.ts'

/** One statement about a connector. It throws where the statement does not hold. */
export interface PlatformCase {
  readonly name: string
  run(): Promise<void>
}

/** Cases that still have to be told whom they are about. */
export type CasesFor = (suite: PlatformSuite) => readonly PlatformCase[]

export type Plays = Readonly<Record<string, (world: World) => Promise<void>>>

/**
 * Gives each case a network of its own, which is taken down whatever becomes of it. After each case
 * everything that the connector said is searched for its credentials.
 */
export function casesOf(suite: PlatformSuite, subject: string, plays: Plays): PlatformCase[] {
  return Object.entries(plays).map(([name, play]) => ({
    name: `${subject}: ${name}`,
    run: async () => {
      await using harness = await suite.open()
      const world = new World(suite, harness)
      await play(world)
      world.requireNoSecret()
    },
  }))
}
