/** Every planted bug. */

import { connectorBugs } from './in-the-connector.ts'
import { ledgerBugs } from './in-the-ledger.ts'
import { policyBugs } from './in-the-policy.ts'
import type { PlantedBug } from './planted-bug.ts'

export const plantedBugs: readonly PlantedBug[] = [...connectorBugs, ...policyBugs, ...ledgerBugs]

export function findBug(name: string): PlantedBug {
  const bug = plantedBugs.find((each) => each.name === name)
  if (bug === undefined) throw new Error(`There is no planted bug called ${name}`)
  return bug
}
