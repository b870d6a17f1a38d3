/**
 * The engine: finds in the ledger what is due and does the next right thing about it. Handlers are
 * level-triggered, so that running one twice is harmless, and delivery only wakes them. Nothing is
 * remembered here: an engine that dies loses nothing that matters.
 */

import { isFatal } from './handling.ts'
import { assemble } from './parts.ts'
import type { EngineOptions, Parts } from './parts.ts'
import { Turn } from './turn.ts'

export interface Engine extends AsyncDisposable {
  /** Works until stopped. Rejects where the ledger cannot be used any more. */
  start(): Promise<void>
  /** Begins nothing new and waits for what is under way: no send is cut off. */
  stop(): Promise<void>
  /** One turn: everything that is due now. Returns how many pieces of work it took on. */
  tick(): Promise<number>
}

export function createEngine(options: EngineOptions): Engine {
  const parts = assemble(options)
  const report = options.onProblem ?? (() => {})
  const turn = new Turn(parts, report)
  const stopping = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  let running: Promise<void> | null = null
  const stop = async () => {
    stopping.abort('stopped')
    await Promise.allSettled([running, ...underWay])
  }
  const tick = () => {
    const ticked = turn.run(stopping.signal).finally(() => underWay.delete(ticked))
    underWay.add(ticked)
    return ticked
  }
  return {
    tick,
    start: () => (running ??= loop(parts, turn, options, stopping.signal)),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function loop(
  parts: Parts,
  turn: Turn,
  { onProblem: report = () => {}, onTurn = () => {} }: EngineOptions,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, settings } = parts
  const { batch, breathMs, idleMs } = settings
  let mayBeDue = true
  while (!stopping.aborted) {
    onTurn()
    try {
      // A full batch means that more is due already.
      if (mayBeDue && (await turn.run(stopping)) >= batch) continue
      const waitMs = await untilDue(parts)
      // After an idle wait the ledger is asked whether there is anything to do, and no more.
      mayBeDue = waitMs <= idleMs
      await clock.sleep(Math.min(idleMs, Math.max(breathMs, waitMs)), stopping)
    } catch (error) {
      // A ledger that is busy or away comes back; there is work then.
      if (isFatal(error)) throw error
      report({ work: 'turn', id: '', error })
      await clock.sleep(breathMs, stopping)
    }
  }
}

async function untilDue({ ledger }: Parts): Promise<number> {
  const next = (await ledger.nextDueAt()) ?? Infinity
  return next - (await ledger.now())
}
