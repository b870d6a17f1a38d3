/** Reads posts with their readings from a file, in the form that `backtest` reads too. */

import { readFileSync } from 'node:fs'
import { formatInstant } from '../core/instant.ts'
import type { Sample } from '../core/sample.ts'
import { readCsv } from '../engine/backtest/read-csv.ts'
import { readJson } from '../engine/backtest/read-json.ts'
import { samplesOf } from '../engine/backtest/recorded-post.ts'
import type { NewPostBody } from '../server/schema/post.ts'
import type { SampleBody } from '../server/schema/sample.ts'

export interface RecordedPostBody {
  readonly post: Pick<NewPostBody, 'remoteId' | 'publishedAt'>
  readonly samples: readonly SampleBody[]
}

/** `data` is what the file holds where it is JSON. */
export function parseRecordedPosts(path: string, data: unknown): readonly RecordedPostBody[] {
  const posts =
    data === null ? readCsv(readFileSync(path, 'utf8'), path) : readJson(JSON.stringify(data), path)
  return posts.map((post) => ({
    post: { remoteId: post.id, publishedAt: formatInstant(post.publishedAt) },
    samples: samplesOf(post).map(toBody),
  }))
}

function toBody({ at, impressions, engagements, interactions }: Sample): SampleBody {
  const named = interactions === undefined ? {} : { interactions }
  return { at: formatInstant(at), impressions, engagements, ...named }
}
