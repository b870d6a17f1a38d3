/** Owns how instants leave the server: ISO 8601, in UTC. */

import { formatInstant } from '../../core/instant.ts'
import type { Instant } from '../../core/instant.ts'
import type { Until } from '../../core/until.ts'
import type { UntilView } from '../schema/fields.ts'

export const iso = formatInstant

export function isoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant)
}

export function toUntilView(until: Until): UntilView {
  return until.kind === 'time' ? { kind: 'time', at: formatInstant(until.at) } : until
}
