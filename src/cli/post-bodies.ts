/** Turns recorded posts into what the API takes to track them, with their readings. */

import { formatInstant } from '../core/instant.ts'
import type { Sample } from '../core/sample.ts'
import { samplesOf } from '../engine/backtest/recorded-post.ts'
import type { RecordedPost } from '../engine/backtest/recorded-post.ts'
import type { NewPostBody } from '../server/schema/post.ts'
import type { SampleBody } from '../server/schema/sample.ts'

export interface RecordedPostBody {
  readonly post: Pick<NewPostBody, 'remoteId' | 'publishedAt'>
  readonly samples: readonly SampleBody[]
}

export function toBodies(post: RecordedPost): RecordedPostBody {
  return {
    post: { remoteId: post.id, publishedAt: formatInstant(post.publishedAt) },
    samples: samplesOf(post).map(toBody),
  }
}

function toBody({ at, impressions, engagements, interactions }: Sample): SampleBody {
  const named = interactions === undefined ? {} : { interactions }
  return { at: formatInstant(at), impressions, engagements, ...named }
}
