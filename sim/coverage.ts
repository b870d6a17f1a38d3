/** Counts how often each state, each step between states and each guard was reached. */

import { guardSettings } from '../src/core/guards/guards.ts'
import { states, transitions } from '../src/core/states.ts'
import type { Changes } from '../src/ledger/index.ts'
import type { Trace } from '../src/core/verdict.ts'
import { ledgerFaultKinds } from './faults/ledger-faults.ts'
import { networkFaultKinds } from './faults/network-faults.ts'
import type { World } from './world.ts'

export interface CoverageCounts {
  readonly states: Readonly<Record<string, number>>
  readonly transitions: Readonly<Record<string, number>>
  readonly guards: Readonly<Record<string, number>>
}

/** Everything that has to be reached at least once. */
export const everything: Readonly<Record<keyof CoverageCounts | 'faults', readonly string[]>> = {
  faults: [
    ...networkFaultKinds.map((kind) => `network ${kind}`),
    ...ledgerFaultKinds.map((kind) => `ledger ${kind}`),
  ],
  states,
  transitions: states.flatMap((from) => transitions[from].map((to) => `${from} → ${to}`)),
  guards: guardSettings.options.map(({ shape }) => shape.guard.value),
}

export class Coverage {
  sends = 0
  readonly #states: Record<string, number> = {}
  readonly #transitions: Record<string, number> = {}
  readonly #guards: Record<string, number> = {}

  constructor({ auditor, store }: World) {
    auditor.listeners.push((event) => {
      if (event.type === 'attempt_begun') this.sends += 1
      if (event.type === 'action_planned') add(this.#states, event.data.state)
      if (event.type !== 'action_changed') return
      add(this.#states, event.data.to)
      add(this.#transitions, `${event.data.from} → ${event.data.to}`)
    })
    store.onStep = (result, changes) => this.#noteGuards(result, changes)
  }

  /** Every guard that held, also where another one held before it. */
  #noteGuards(result: unknown, { verdict }: Changes): void {
    if (verdict !== undefined) {
      const { guards } = verdict.trace as unknown as Trace
      for (const { guard, kind } of guards) if (kind === 'hold') add(this.#guards, guard)
    } else if (isHeld(result)) {
      add(this.#guards, result.reason)
    }
  }

  get counts(): CoverageCounts {
    return { states: this.#states, transitions: this.#transitions, guards: this.#guards }
  }
}

function isHeld(result: unknown): result is { readonly reason: string } {
  return typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'held'
}

function add(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
