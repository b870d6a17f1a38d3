/** One simulated process: the production engine, with everything it reaches for wrapped. */

import type { MachineClock } from '../clock/machine-clock.ts'
import type { VirtualTime } from '../clock/virtual-time.ts'
import type { LedgerCall, LedgerFaults } from '../faults/ledger-faults.ts'
import type { Content } from '../../src/content/content.ts'
import type { Clock } from '../../src/core/clock.ts'
import { Secret } from '../../src/core/secret.ts'
import { createEngine } from '../../src/engine/index.ts'
import type { Engine, EngineProblem, EngineSettings } from '../../src/engine/index.ts'
import type { Ledger } from '../../src/ledger/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'
import { InProcessWire } from '../../src/platform/simulated/in-process-wire.ts'
import type { Wire } from '../../src/platform/simulated/protocol.ts'
import { SimulatedPlatform } from '../../src/platform/simulated/simulated-platform.ts'
import type { Network } from '../installation/network.ts'
import { Lifeline } from './lifeline.ts'
import { reachLedger } from './reached-ledger.ts'

/** What all processes share. */
export interface Surroundings {
  readonly time: VirtualTime
  readonly clock: MachineClock
  readonly ledger: Ledger
  readonly ledgerFaults: LedgerFaults
  readonly networks: readonly Network[]
  readonly content: Content
  readonly settings: Partial<EngineSettings>
  /** A planted bug may sit between the engine and its connectors. */
  readonly alterPlatform: (platform: Platform) => Platform
  readonly onAnswer: (call: LedgerCall, given: readonly unknown[], answer: unknown) => void
  readonly onProblem: (problem: EngineProblem) => void
  /** Told when a process finds the ledger damaged. */
  readonly onDamage: (process: Process) => void
}

export class Process {
  readonly number: number
  readonly lifeline: Lifeline
  readonly engine: Engine
  /** Told of each call to the ledger before it is made. */
  onLedgerCall: (call: LedgerCall) => void = () => {}

  constructor(number: number, stream: Stream, around: Surroundings, onDeath: () => void) {
    this.number = number
    this.lifeline = new Lifeline(onDeath)
    let ids = 0
    this.engine = createEngine({
      ledger: reachLedger({
        ledger: around.ledger,
        lifeline: this.lifeline,
        faults: around.ledgerFaults,
        time: around.time,
        onCall: (call) => this.onLedgerCall(call),
        onFault: ({ kind }) => {
          if (kind === 'damaged') around.onDamage(this)
        },
        onAnswer: around.onAnswer,
      }),
      platforms: around.networks.map((network) =>
        around.alterPlatform(connectTo(network, this.lifeline)),
      ),
      clock: reachClock(around.clock, this.lifeline),
      random: {
        fraction: () => stream.fraction(),
        id: () => {
          ids += 1
          return `p${number}-${ids}`
        },
      },
      content: { write: (request) => this.lifeline.wait(() => around.content.write(request)) },
      openCredentials: ({ credentials }) => (credentials === null ? null : new Secret(credentials)),
      settings: around.settings,
      onProblem: (problem) => {
        if (this.lifeline.isAlive) around.onProblem(problem)
      },
    })
  }
}

/** The time that only ever grows begins anew with each process. */
function reachClock(clock: Clock, lifeline: Lifeline): Clock {
  const startMs = clock.monotonicMs()
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs() - startMs,
    sleep: (durationMs, signal) => lifeline.wait(() => clock.sleep(durationMs, signal)),
  }
}

/** A connector is part of its process: each of its calls to the network is a moment to die at. */
function connectTo({ profile, delivery }: Network, lifeline: Lifeline): Platform {
  const wire = new InProcessWire(delivery)
  const reached: Wire = {
    send: (call, caller, signal) => lifeline.wait(() => wire.send(call, caller, signal)),
  }
  return new SimulatedPlatform(profile, reached)
}
