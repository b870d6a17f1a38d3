/** Owns how safe it is, right now, to send something again that may have landed. */

import type { Action } from '../core/action.ts'
import type { WriteClass } from '../core/capabilities.ts'
import type { Description } from '../platform/platform.ts'

/**
 * A network that recognises a repeat for a while is trusted for half of that: its clock is not
 * ours, and the second send needs time to arrive.
 */
export function writeClassNow(
  description: Description,
  action: Action,
  sentAgoMs: number,
): WriteClass {
  const capability = description.actions[action]
  if (!capability.supported) return 'C'
  const { deduplicatesForMs } = description
  if (capability.writeClass !== 'A' || deduplicatesForMs === null) return capability.writeClass
  return sentAgoMs < deduplicatesForMs / 2 ? 'A' : 'B'
}
