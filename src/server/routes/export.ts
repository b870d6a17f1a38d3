/** Everything, as a stream: nothing of it is held in memory at once. */

import { accountFilter } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { Services } from '../context.ts'
import { exportRows } from '../export-rows.ts'
import { toCsv, toJsonLines } from '../export-format.ts'
import { exportQuery } from '../schema/event.ts'
import { exportParam } from '../schema/params.ts'
import { createRoutes, define } from './route.ts'

const whole = define('read', {
  method: 'get',
  path: '/export/{kind}',
  tags: ['export'],
  summary: 'All posts, samples, actions or events, as CSV or a line of JSON each',
  request: { params: exportParam, query: exportQuery },
  responses: {
    200: {
      description: 'The rows, in the order of their ids',
      content: {
        'application/x-ndjson': { schema: { type: 'string' } },
        'text/csv': { schema: { type: 'string' } },
      },
    },
  },
})

export function exportRoutes(services: Services) {
  return createRoutes().openapi(whole, (context) => {
    const { kind } = context.req.valid('param')
    const { format, accountId } = context.req.valid('query')
    const scope = accountFilter(actorOf(context), accountId)
    const rows = exportRows(services.ledger, kind, scope)
    const lines = format === 'csv' ? toCsv(rows) : toJsonLines(rows)
    const ending = format === 'csv' ? 'csv' : 'jsonl'
    return context.body(ReadableStream.from(encode(lines)), 200, {
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'content-disposition': `attachment; filename="secondwind-${kind}.${ending}"`,
    })
  })
}

/** Small pieces cost more than they carry. */
const pieceLength = 32 * 1024

async function* encode(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < pieceLength) continue
    yield encoder.encode(piece)
    piece = ''
  }
  if (piece !== '') yield encoder.encode(piece)
}
