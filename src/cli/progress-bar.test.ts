/** When the progress bar is drawn, and that it leaves nothing behind. */

import { describe, expect, it } from 'vitest'
import { ProgressBar } from './progress-bar.ts'

function fakeStream(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

describe('the progress bar', () => {
  it('is drawn on a terminal, once for each change, and leaves nothing behind', () => {
    const stream = fakeStream(true)
    const bar = new ProgressBar(stream, 'standard@1')
    bar.show(0, 200)
    bar.show(100, 200)
    bar.show(100, 200)
    bar.clear()
    expect(stream.written).toEqual([
      `\r\u001b[Kstandard@1 ${'░'.repeat(30)} 0 %`,
      `\r\u001b[Kstandard@1 ${'█'.repeat(15)}${'░'.repeat(15)} 50 %`,
      '\r\u001b[K',
    ])
  })

  it('is not drawn where nobody looks', () => {
    const stream = fakeStream(false)
    const bar = new ProgressBar(stream, 'standard@1')
    bar.show(1, 2)
    bar.clear()
    expect(stream.written).toEqual([])
  })

  it('is full where there is nothing to do', () => {
    const stream = fakeStream(true)
    new ProgressBar(stream, 'x').show(0, 0)
    expect(stream.written[0]).toContain('100 %')
  })
})
