/** A slip of the pen is recognised; another word is not. */

import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const known = ['database', 'host', 'holdoutShare', 'serve', 'resume']

test.each([
  ['databse', 'database'],
  ['hosst', 'host'],
  ['holdoutshare', 'holdoutShare'],
  ['sevre', 'serve'],
  ['resum', 'resume'],
])('%s was meant to be %s', (given, meant) => {
  expect(nearest(given, known)).toBe(meant)
})

test.each(['', 'zzz', 'timeline'])('%j is like none of them', (given) => {
  expect(nearest(given, known)).toBeNull()
})
