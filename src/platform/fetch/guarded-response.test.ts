/** Tests reading an answer in each form, and that printing it shows nothing of its contents. */

import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { FetchError } from './fetch-error.ts'
import { AnswerError, GuardedResponse, requireOk } from './guarded-response.ts'

function respond(body: string | Uint8Array, headers: Record<string, string> = {}, status = 200) {
  return new GuardedResponse({
    status,
    where: 'https://social.example/a',
    headers: new Map(Object.entries(headers)),
    bytes: Buffer.from(body as string),
  })
}

function errorOf(work: () => unknown): FetchError {
  try {
    work()
  } catch (error) {
    if (error instanceof FetchError) return error
    throw error
  }
  throw new Error('it was read')
}

describe('a body', () => {
  test('is bytes, text and JSON', () => {
    const response = respond('\ufeff{"a":["ä"]}')
    expect(response.json()).toEqual({ a: ['ä'] })
    expect(response.text()).toBe('{"a":["ä"]}')
    expect(response.bytes().slice(0, 4)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b]))
    expect(response.size).toBe(15)
  })

  test('is not changed by changing the bytes that were handed out', () => {
    const response = respond('abc')
    response.bytes().fill(0)
    expect(response.text()).toBe('abc')
  })

  test.each([
    ['', 'is not JSON but empty'],
    ['<!DOCTYPE html><p>canary', 'is not JSON but an HTML page'],
    ['  <html>canary', 'is not JSON but an HTML page'],
    ['{"token":"canary"', 'is not JSON but something else'],
    ['canary', 'is not JSON but something else'],
  ])('%j is malformed, and is not quoted', (body, problem) => {
    const error = errorOf(() => respond(body).json())
    expect(error.message).toContain(problem)
    expect([error.kind, error.sent]).toEqual(['malformed', true])
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary')
  })

  test('of the wrong shape is malformed, and the field is named', () => {
    const schema = z.object({ id: z.string(), list: z.array(z.object({ n: z.number() })) })
    const fine = respond('{"id":"1","list":[{"n":1}],"more":true}')
    expect(fine.parse(schema)).toEqual({ id: '1', list: [{ n: 1 }] })
    const error = errorOf(() => respond('{"id":"1","list":[{"n":"canary"}]}').parse(schema))
    expect(error.message).toContain('the body has an unexpected field list.0.n')
    expect(errorOf(() => respond('["canary"]').parse(schema)).message).toContain('unexpected shape')
    expect(inspect(error, { depth: 9 })).not.toContain('canary')
  })
})

test('headers are found whatever their case; an absent one is null', () => {
  const response = respond('', { 'retry-after': '3' })
  expect(response.header('Retry-After')).toBe('3')
  expect(response.header('x')).toBeNull()
})

test('an answer and its error show status, place and size only', () => {
  const response = respond('canary', { 'set-cookie': 'canary', location: 'canary' }, 403)
  const error = new AnswerError(response)
  for (const value of [response, error, { response, error }]) {
    const shown = [inspect(value, { depth: 9, showHidden: true }), JSON.stringify(value)].join()
    expect(shown).not.toContain('canary')
    expect(shown).toContain('403')
  }
  expect(String(response)).toBe('GuardedResponse(403 from https://social.example/a, 6 bytes)')
})

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
  [304, false],
  [404, false],
])('a status of %i is a success: %s', (status, ok) => {
  const response = respond('', {}, status)
  expect(response.ok).toBe(ok)
  const passed = () => requireOk(response) === response
  expect(ok ? passed() : thrownBy(passed)).toEqual(ok ? true : new AnswerError(response))
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}
