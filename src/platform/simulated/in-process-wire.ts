/** Owns the shortest way to a simulated network: a call within the same process. */

import type { Delivered, Delivery } from './delivery.ts'
import type { Answer, Call, CallKind, CallOf, Caller, Wire } from './protocol.ts'
import { WireFailure } from './wire-error.ts'

export class InProcessWire implements Wire {
  readonly #delivery: Delivery

  constructor(delivery: Delivery) {
    this.#delivery = delivery
  }

  async send<Kind extends CallKind>(
    call: CallOf<Kind>,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Answer<Kind>> {
    const delivered = this.#delivery.deliver(call as Call, caller, signal)
    return answerOf(delivered instanceof Promise ? await delivered : delivered) as Answer<Kind>
  }
}

function answerOf(delivered: Delivered): Answer {
  if (delivered.kind === 'answered') return delivered.answer
  throw new WireFailure(delivered.kind)
}
