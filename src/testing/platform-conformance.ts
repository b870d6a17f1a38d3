/**
 * The conformance suite of connectors: statements that hold for every network. Whoever writes a
 * connector provides a harness and runs them all, with any test runner:
 *
 *   for (const { name, run } of platformCases(suite)) test(name, run)
 *
 * Which statements there are depends on what the connector says it can do and on which faults the
 * harness can make. None is skipped: what a network cannot do must be refused, and that is a case.
 */

import type { PlatformCase } from './platform/case.ts'
import { classifyCases } from './platform/classify-cases.ts'
import { describeCases } from './platform/describe-cases.ts'
import { editCases } from './platform/edit-cases.ts'
import { faultCases } from './platform/fault-cases.ts'
import type { PlatformSuite } from './platform/harness.ts'
import { prepareCases } from './platform/prepare-cases.ts'
import { probeCases } from './platform/probe-cases.ts'
import { readCases } from './platform/read-cases.ts'
import { replyCases } from './platform/reply-cases.ts'
import { writeCases } from './platform/write-cases.ts'

export type { PlatformCase } from './platform/case.ts'
export { harnessFaults } from './platform/harness.ts'
export type {
  HarnessFault,
  PlatformHarness,
  PlatformSuite,
  SeenPost,
  SeenReply,
} from './platform/harness.ts'
export { simulatedSuite } from './platform/simulated-suite.ts'
export type { SimulatedSuiteOptions } from './platform/simulated-suite.ts'
export { VirtualClock } from './platform/virtual-clock.ts'

export function platformCases(suite: PlatformSuite): readonly PlatformCase[] {
  return [
    describeCases,
    probeCases,
    readCases,
    prepareCases,
    writeCases,
    replyCases,
    editCases,
    faultCases,
    classifyCases,
  ].flatMap((casesFor) => casesFor(suite))
}
