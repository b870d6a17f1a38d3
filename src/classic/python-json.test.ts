/** Tests the parts of Python's form that need no file; the rest is compared with Python's own. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InputError } from '../core/input-error.ts'
import { toPythonJson } from './python-json.ts'

const cyclic: Record<string, unknown> = { name: 'loop' }
cyclic['inner'] = [cyclic]

function nested(levels: number): unknown {
  let value: unknown = 'bottom'
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

class Point {
  readonly x = 1
}

test('a level indents what stands below the first line', () => {
  expect(toPythonJson({ a: [1, {}], b: [] }, 'outcome', 2)).toBe(
    '{\n      "a": [\n        1,\n        {}\n      ],\n      "b": []\n    }',
  )
})

test('a value is shared by two fields without being taken for a loop', () => {
  const shared = { n: 1 }
  expect(JSON.parse(toPythonJson({ a: shared, b: [shared, shared] }, 'outcome'))).toEqual({
    a: shared,
    b: [shared, shared],
  })
})

test('a field called __proto__ is a field like any other', () => {
  const value = JSON.parse('{"__proto__": {"a": 1}}') as unknown
  expect(toPythonJson(value, 'outcome')).toBe('{\n  "__proto__": {\n    "a": 1\n  }\n}')
})

describe('what JSON cannot hold is refused, and the place is named', () => {
  test.each([
    ['undefined', undefined, 'outcome'],
    ['undefined in a field', { a: undefined }, 'outcome.a'],
    ['a hole in an array', { a: Array(2) }, 'outcome.a[0]'],
    ['NaN', { a: [1, Number.NaN] }, 'outcome.a[1]'],
    ['infinity', [-Infinity], 'outcome[0]'],
    ['a function', { run: () => 1 }, 'outcome.run'],
    ['a symbol', [Symbol('s')], 'outcome[0]'],
    ['a BigInt', { n: 1n }, 'outcome.n'],
    ['a Date', { at: new Date(0) }, 'outcome.at'],
    ['a Map', new Map([['a', 1]]), 'outcome'],
    ['an instance of a class', { point: new Point() }, 'outcome.point'],
    ['a loop', cyclic, 'outcome.inner[0]'],
    ['half a surrogate pair', { a: ['\ud83c'] }, 'outcome.a[0]'],
    ['a name with half a surrogate pair', { '\udf89': 1 }, 'outcome.\udf89'],
  ])('%s', (_name, value, field) => {
    expect(() => toPythonJson(value, 'outcome')).toThrow(InputError)
    expect(() => toPythonJson(value, 'outcome')).toThrow(expect.objectContaining({ field }))
  })

  test('a nesting that Python could not read', () => {
    expect(JSON.parse(toPythonJson(nested(300), 'outcome'))).toEqual(nested(300))
    expect(() => toPythonJson(nested(301), 'outcome')).toThrow('deeper than 300 levels')
  })
})

test('whatever JSON holds comes back the same, in ASCII', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat({ max: 3 }), (value, level) => {
      const text = toPythonJson(value, 'outcome', level)
      expect(JSON.parse(text)).toStrictEqual(value)
      expect(text).toMatch(/^[\n -~]*$/)
    }),
  )
})
