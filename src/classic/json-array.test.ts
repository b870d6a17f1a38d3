/** Tests that the scanner takes what JSON.parse takes, loses nothing and names the right line. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonArrayError, splitJsonArray } from './json-array.ts'

const texts = (json: string) => splitJsonArray(json).map(({ text }) => text)

describe('elements keep every character', () => {
  test.each([
    ['[]', []],
    [' \t\r\n[ \n ] \n', []],
    ['[1.0, 1e+05 ,-0]', ['1.0', '1e+05', '-0']],
    ['[12345678901234567890123]', ['12345678901234567890123']],
    ['[{ "a" : [ 1 , { } ] }, [ ]]', ['{ "a" : [ 1 , { } ] }', '[ ]']],
    ['["a,]}\\"[{", "\\u00e9 é \\\\"]', ['"a,]}\\"[{"', '"\\u00e9 é \\\\"']],
    ['[true,false,null]', ['true', 'false', 'null']],
  ])('%j', (json, elements) => {
    expect(texts(json)).toEqual(elements)
  })

  test('with the line they begin on', () => {
    const json = '[\n  {\n    "a": 1\n  },\n\n  {"b": [\n2]}, 3\r\n]'
    expect(splitJsonArray(json).map(({ line }) => line)).toEqual([2, 6, 7])
  })

  test('however deep they are nested', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(texts(`[${deep}]`)).toEqual([deep])
  })
})

describe('what is not an array is refused, and the line is named', () => {
  test.each([
    ['', 1, 'where the file ends'],
    ['\n\n', 3, 'where the file ends'],
    ['{"a": 1}', 1, 'must hold a JSON array'],
    ['\ufeff[]', 1, 'must hold a JSON array'],
    ['[1\n', 2, '"," or "]" is expected where the file ends'],
    ['[1,\n]', 2, 'a JSON value is expected'],
    ['[\n1 2]', 2, '"," or "]" is expected where "2]" stands'],
    ['[1]\n[2]', 2, 'nothing may follow'],
    ['[\n\n{"a": 1', 3, '"," or "}" is expected where the file ends'],
    ['[{"a"\n1}]', 2, '":" is expected'],
    ['[{"a": 1,\n}]', 2, 'a field name'],
    ['[{a: 1}]', 1, 'a field name'],
    ['[{"a": 1]]', 1, '"," or "}" is expected'],
    ['[[1}]', 1, '"," or "]" is expected'],
    ['["a\nb"]', 1, 'a text does not end on its line'],
    ['["a', 1, 'a text does not end on its line'],
    ['["\\x41"]', 1, 'an escape'],
    ['["\\u00g0"]', 1, 'an escape'],
    ['["\\', 1, 'an escape'],
    ['[\n{"x": NaN}]', 2, 'a JSON value is expected where "NaN}]" stands'],
    ['[01]', 1, 'is expected'],
    ['[1.]', 1, 'is expected'],
    ['[+1]', 1, 'a JSON value is expected'],
    ["['a']", 1, 'a JSON value is expected'],
    ['[nul]', 1, 'a JSON value is expected'],
    ['[1] // end', 1, 'nothing may follow'],
  ])('%j', (json, line, problem) => {
    expect(() => splitJsonArray(json)).toThrow(JsonArrayError)
    expect(() => splitJsonArray(json)).toThrow(
      expect.objectContaining({ line, message: expect.stringContaining(problem) as string }),
    )
  })
})

const spaces = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 3 })
const indent = fc.constantFrom(undefined, 1, 2, '\t')

test('any array is split into texts that parse to its elements, wherever space stands', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), spaces, indent, (values, space, step) => {
      const elements = values.map((value) => JSON.stringify(value, null, step))
      const json = `${space}[${space}${elements.join(`${space},${space}`)}${space}]${space}`
      expect(texts(json)).toEqual(elements)
    }),
  )
})

test('a text with a character changed is taken exactly where JSON.parse takes it', () => {
  const character = fc.constantFrom(...'[]{},:"\\u0aeE+-.1 \n\t\u0001é'.split(''))
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 4 }),
      indent,
      fc.nat(),
      fc.constantFrom(0, 1, 2),
      character,
      (values, step, place, removed, added) => {
        const json = JSON.stringify(values, null, step)
        const at = place % json.length
        const changed = json.slice(0, at) + added + json.slice(at + removed)
        expect(
          outcomeOf(() => splitJsonArray(changed).map(({ text }) => JSON.parse(text) as unknown)),
        ).toEqual(outcomeOf(() => parseArray(changed)))
      },
    ),
    { numRuns: 2000 },
  )
})

function parseArray(json: string): unknown {
  const value: unknown = JSON.parse(json)
  if (!Array.isArray(value)) throw new SyntaxError('not an array')
  return value
}

function outcomeOf(run: () => unknown): unknown {
  try {
    return { value: run() }
  } catch {
    return 'refused'
  }
}
