/** Tests that a request that could be misread is refused before anything happens. */

import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { InputError } from '../../core/input-error.ts'
import { Secret } from '../../core/secret.ts'
import { parseRequest } from './request.ts'

describe('headers', () => {
  test('get lower-case names, and a user agent that the caller can replace', () => {
    const plain = parseRequest({ headers: { Accept: 'a/b' } }, 'agent')
    expect(Object.fromEntries(plain.headers)).toEqual({ accept: 'a/b', 'user-agent': 'agent' })
    const own = parseRequest({ headers: { 'User-Agent': 'mine' } }, 'agent')
    expect(own.headers.get('user-agent')).toBe('mine')
  })

  test.each(['Host', 'content-length', 'Transfer-Encoding', 'connection', 'Accept-Encoding'])(
    '%s is not the caller’s to set',
    (name) => {
      expect(() => parseRequest({ headers: { [name]: 'x' } }, 'agent')).toThrow(
        `headers.${name.toLowerCase()}: is set by the fetch itself`,
      )
    },
  )

  test.each(['', 'a b', 'a:b', 'a\r\nb', 'ä'])('no header is called %j', (name) => {
    expect(() => parseRequest({ headers: { [name]: 'x' } }, 'agent')).toThrow(InputError)
  })

  test.each(['canary\r\nx: y', 'canary\n', 'canary\0', 'canary€'])(
    'no value is %j, and it is not shown',
    (value) => {
      for (const header of [value, new Secret(value)]) {
        const parse = () => parseRequest({ headers: { authorization: header } }, 'agent')
        expect(parse).toThrow('headers.authorization: holds a character that no header may hold')
        expect(inspect(thrownBy(parse))).not.toContain('canary')
      }
    },
  )
})

test('a read has no body', () => {
  expect(() => parseRequest({ body: 'x' }, 'agent')).toThrow('body: a GET request has none')
  expect(parseRequest({ method: 'DELETE', body: 'x' }, 'agent').body).toBe('x')
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}
