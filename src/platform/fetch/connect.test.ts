/** Tests that a connection asks nobody for an address, in both forms in which Node asks. */

import { describe, expect, test } from 'vitest'
import { pinTo } from './connect.ts'

const addresses = [
  { address: '1.1.1.1', family: 4 },
  { address: '2606:4700::1111', family: 6 },
] as const

describe('a pinned lookup', () => {
  test('gives all checked addresses, whatever the name', () => {
    const answers: unknown[] = []
    const lookup = pinTo(addresses)
    lookup('other.example', { all: true }, (...answer) => answers.push(answer))
    expect(answers).toEqual([[null, addresses]])
  })

  test('gives the first where one is asked for', () => {
    const answers: unknown[] = []
    pinTo(addresses)('other.example', { all: false }, (...answer) => answers.push(answer))
    expect(answers).toEqual([[null, '1.1.1.1', 4]])
  })
})
