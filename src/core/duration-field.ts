/** Owns how a duration is checked where it stands in a policy. */

import { z } from 'zod'
import { longestMs } from './duration.ts'

/** Milliseconds; 0 is allowed. */
export const durationMs = z.number().nonnegative().max(longestMs, 'is longer than 10,000 years')

/** Milliseconds, more than 0. */
export const positiveDurationMs = z
  .number()
  .positive()
  .max(longestMs, 'is longer than 10,000 years')
