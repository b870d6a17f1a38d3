/** Owns how a reading is told and taken. */

import type { z } from 'zod'
import type { Sample } from '../../core/sample.ts'
import type { sampleBody, SampleView } from '../schema/sample.ts'
import { iso } from './time.ts'

export function toSampleView({ at, impressions, engagements, interactions }: Sample): SampleView {
  return {
    at: iso(at),
    impressions,
    engagements,
    interactions: interactions === undefined ? null : { ...interactions },
  }
}

export function toSample(body: z.output<typeof sampleBody>): Sample {
  const { at, impressions, engagements, interactions } = body
  return {
    at,
    impressions,
    engagements,
    ...(interactions === undefined ? {} : { interactions }),
  }
}
