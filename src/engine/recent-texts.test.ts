/** Tests that texts are written in turn, each with a view of those before. */

import { expect, test } from 'vitest'
import type { ContentResult } from '../content/content.ts'
import { RecentTexts } from './recent-texts.ts'

const saying = (text: string): ContentResult => ({ kind: 'text', text, source: 'test' })

test('one is written after another, and knows the ones before it', async () => {
  let isWriting = false
  const texts = new RecentTexts(async () => ['before'])
  const seen = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      let known: readonly string[] = []
      await texts.add(async (recent) => {
        expect(isWriting).toBe(false)
        isWriting = true
        await Promise.resolve()
        isWriting = false
        known = recent
        return saying(name)
      })
      return known
    }),
  )
  expect(seen).toEqual([['before'], ['a', 'before'], ['b', 'a', 'before']])
})

test('one that comes to nothing, or fails, leaves nothing behind and holds up nobody', async () => {
  const texts = new RecentTexts(async () => [])
  const failing = texts.add(() => Promise.reject(new Error('no model')))
  const nothing = texts.add(async () => ({ kind: 'nothing', why: 'no words' }))
  const last = texts.add(async (recent) => saying(`after ${recent.length}`))
  await expect(failing).rejects.toThrow('no model')
  expect(await nothing).toMatchObject({ kind: 'nothing' })
  expect(await last).toMatchObject({ text: 'after 0' })
})

test('what the account said before is read once, where something is to be said', async () => {
  let reads = 0
  const texts = new RecentTexts(async () => {
    reads += 1
    if (reads === 1) throw new Error('busy')
    return []
  })
  expect(reads).toBe(0)
  await expect(texts.add(async () => saying('a'))).rejects.toThrow('busy')
  await texts.add(async () => saying('b'))
  await texts.add(async () => saying('c'))
  expect(reads).toBe(2)
})
