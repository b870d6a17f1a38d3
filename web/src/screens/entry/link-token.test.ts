import { describe, expect, it } from 'vitest'
import { readLinkToken } from './link-token.ts'

describe('readLinkToken', () => {
  it.each([
    [{ hash: '#token=abc', search: '' }, 'abc'],
    [{ hash: '', search: '?token=abc' }, 'abc'],
    [{ hash: '#token=abc', search: '?token=other' }, 'abc'],
    [{ hash: '', search: '' }, null],
  ])('finds the token of %o', (address, token) => {
    expect(readLinkToken(address)).toBe(token)
  })
})
