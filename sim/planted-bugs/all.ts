/** Every planted bug. */

import { connectorBugs } from './in-the-connector.ts'
import { ledgerBugs } from './in-the-ledger.ts'
import { policyBugs } from './in-the-policy.ts'
import type { PlantedBug } from './planted-bug.ts'

export const plantedBugs: readonly PlantedBug[] = [...connectorBugs, ...policyBugs, ...ledgerBugs]
