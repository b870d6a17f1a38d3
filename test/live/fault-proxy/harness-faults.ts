/** Owns making the faults of the conformance suite happen, by a proxy in front of any server. */

import { harnessFaults } from '../../../src/testing/platform-conformance.ts'
import type { HarnessFault } from '../../../src/testing/platform-conformance.ts'
import type { ArmedFault, FaultProxy, FaultRule } from '../fault-proxy.ts'
import { isWrite } from './exchange.ts'

type ByProxy = Exclude<HarnessFault, 'unreachable' | 'spam' | 'rate_limited'>

const faultOf: Readonly<Record<ByProxy, FaultRule['fault']>> = {
  lost_request: 'refuse',
  lost_answer: 'commit_then_drop',
  late_apply: 'apply_late',
  stalled: 'commit_then_stall',
  server_error_before: 'error_before',
  server_error_after: 'commit_then_5xx',
  malformed: 'commit_then_malformed',
}

/** All but `spam`, which looks different on every network. */
export const proxiedFaults = harnessFaults.filter((fault) => fault !== 'spam')

export interface HarnessFaultOptions {
  /** Which requests make something visible; those that are not reads where it is left out. */
  readonly isWrite?: FaultRule['matches']
  /** As the network says that there were too many requests; with Retry-After where left out. */
  readonly rateLimited?: FaultRule['fault']
  readonly spam?: FaultRule['fault']
}

export class HarnessFaults {
  readonly #proxy: FaultProxy
  readonly #options: HarnessFaultOptions
  #late: ArmedFault | null = null

  constructor(proxy: FaultProxy, options: HarnessFaultOptions = {}) {
    this.#proxy = proxy
    this.#options = options
  }

  /** As `PlatformHarness.failNextWrite`. */
  failNextWrite(fault: HarnessFault): { readonly met: Promise<void> } {
    if (fault === 'unreachable') return { met: this.#proxy.goAway() }
    const armed = this.#proxy.arm({
      fault: this.#faultFor(fault),
      matches: this.#options.isWrite ?? isWrite,
    })
    if (fault === 'late_apply') this.#late = armed
    return armed
  }

  /** To be called when time passes: the network comes back, and what was late arrives. */
  async end(): Promise<void> {
    await this.#proxy.comeBack()
    const late = this.#late
    this.#late = null
    await late?.release()
  }

  #faultFor(fault: Exclude<HarnessFault, 'unreachable'>): FaultRule['fault'] {
    if (fault === 'rate_limited') return this.#options.rateLimited ?? 'rate_limited'
    if (fault !== 'spam') return faultOf[fault]
    if (this.#options.spam === undefined) throw new Error('This network has no word for spam')
    return this.#options.spam
  }
}
