/** Writes what is said in the simulation: short, different each time, and sometimes not at all. */

import type { Content, ContentRequest } from '../../src/content/content.ts'
import { joinSegments } from '../../src/core/segments.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'

export class WriterError extends Error {
  override readonly name = 'WriterError'
}

/** A steady writer never fails. */
export function createWriter(stream: Stream, steady: boolean): Content {
  let written = 0
  return {
    write: async (request) => {
      written += 1
      if (!steady && stream.chance(0.01)) return { kind: 'nothing', why: 'no idea' }
      if (!steady && stream.chance(0.002)) throw new WriterError('The writer broke')
      return { kind: 'text', source: 'simulation', text: textFor(request, written, stream) }
    },
  }
}

function textFor({ action, post, handle }: ContentRequest, number: number, stream: Stream): string {
  switch (action) {
    case 'comment':
      return `${handle} says more, note ${number}`
    case 'edit':
      // The text grows at each edit; it must not outgrow the network.
      return `${post.text.slice(0, 100)} (${number})`
    case 'thread': {
      const length = 2 + Math.floor(stream.fraction() * 3)
      const parts = Array.from({ length }, (_, index) => `${handle} ${number}, part ${index + 1}`)
      return joinSegments(parts)
    }
  }
}
