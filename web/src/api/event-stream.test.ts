import { describe, expect, it } from 'vitest'
import { EventStreamReader } from './event-stream.ts'

const stream = 'id: 7\nevent: verdict\ndata: {"a":1}\n\n: still here\n\ndata: one\ndata: two\n\n'

describe('EventStreamReader', () => {
  it('gives whole messages with id, type and data', () => {
    expect(new EventStreamReader().read(stream)).toEqual([
      { id: '7', event: 'verdict', data: '{"a":1}' },
      { id: '7', event: 'message', data: 'one\ntwo' },
    ])
  })

  it('gives the same messages wherever the stream is cut', () => {
    const whole = new EventStreamReader().read(stream)
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const reader = new EventStreamReader()
      const pieces = [...reader.read(stream.slice(0, cut)), ...reader.read(stream.slice(cut))]
      expect(pieces, `cut at ${cut}`).toEqual(whole)
    }
  })

  it('reads lines that end as on Windows', () => {
    expect(new EventStreamReader().read('id: 1\r\ndata: x\r\n\r\n')).toEqual([
      { id: '1', event: 'message', data: 'x' },
    ])
  })

  it('keeps a comment from being a message', () => {
    expect(new EventStreamReader().read(': ping\n\n')).toEqual([])
  })
})
