/** Tests the records in memory: they follow the file, keep what they do not own and find strays. */

import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { actionKey } from '../core/key.ts'
import { ActionHistory } from './action-history.ts'
import type { OutcomeReport } from './action-history.ts'
import { HistoryFile } from './history-file.ts'
import { HistoryFileError } from './history-file-error.ts'
import { machineFileSystem } from './replace-file.ts'
import type { FileSystem } from './replace-file.ts'
import { toWireTime } from './wire-time.ts'

const scratch = () => mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))

const report: OutcomeReport = {
  key: actionKey('post-1', 'comment', 'tier_1'),
  postId: 'post-1',
  action: 'comment',
  tier: 'tier_1',
  initiatedAt: toWireTime('2026-07-15T09:15:17Z', 'now'),
  status: 'running',
  outcomeText: 'null',
  errorCode: null,
}

/** In nobody's format: odd spaces, Z, 1.0, an integer no double holds, fields nobody knows. */
const strangers = [
  `{"idempotency_key":"key-a", "post_id": "post-a","action_type":"edit","tier":"tier_2",
     "initiated_at":"2026-07-15T09:00:00.123456Z","status":"Odd","attempts":1.0,
     "outcome":{"n":12345678901234567890,"x":1.0,"e":1E5},"note":[ ],"error_code":"é" }`,
  `{ "status": "success", "tier": "tier_3", "action_type": "thread", "post_id": "post-b",
     "initiated_at": "2026-07-15 11:00:00,5+0200", "idempotency_key": "key-b" }`,
  `{"idempotency_key":"key-a","post_id":"post-b","action_type":"edit","tier":"tier_2",
     "initiated_at":"2026-07-15T09:00:00+00:00","status":"success",
     "attempts":99999999999999999999}`,
] as const

describe('records that are not touched are written back as they were', () => {
  test('when another is added', () => {
    using directory = scratch()
    const path = join(directory.path, 'history.json')
    writeFileSync(path, ` [ ${strangers.join(' , ')} ]\n`)
    const added = new ActionHistory(new HistoryFile(path)).persist(report)
    expect(readFileSync(path, 'utf8')).toBe(`[\n  ${[...strangers, added.text].join(',\n  ')}\n]`)
  })

  test('when the first of their key is updated', () => {
    using directory = scratch()
    const path = join(directory.path, 'history.json')
    writeFileSync(path, `[${strangers.join(',')}]`)
    const updated = new ActionHistory(new HistoryFile(path)).persist({ ...report, key: 'key-a' })
    expect(updated).toMatchObject({ postId: 'post-a', attempts: 2, status: 'running' })
    expect(updated.past).toMatchObject({ action: 'edit', tier: 'tier_2', state: 'running' })
    expect(readFileSync(path, 'utf8')).toBe(
      `[\n  ${[updated.text, strangers[1], strangers[2]].join(',\n  ')}\n]`,
    )
  })
})

test('attempts that cannot be counted on exactly stop the update, not the reading', () => {
  using directory = scratch()
  const path = join(directory.path, 'history.json')
  const text = `[${strangers[2]}]`
  writeFileSync(path, text)
  const history = new ActionHistory(new HistoryFile(path))
  expect(() => history.persist({ ...report, key: 'key-a' })).toThrow(HistoryFileError)
  expect(history.firstOf('key-a')).toMatchObject({ status: 'success' })
  expect(readFileSync(path, 'utf8')).toBe(text)
})

describe('a save that fails changes nothing', () => {
  const steps = ['mkdirSync', 'openSync', 'writeFileSync', 'fsyncSync', 'renameSync'] as const

  test.each(steps)('where %s fails', (operation) => {
    using directory = scratch()
    const path = join(directory.path, 'history.json')
    const planted = new Error(`ENOSPC: ${operation}`)
    const fs: FileSystem = { ...machineFileSystem }
    const history = new ActionHistory(new HistoryFile(path, fs))
    const first = history.persist(report)
    const before = readFileSync(path, 'utf8')

    const working = fs[operation]
    const fail = () => {
      throw planted
    }
    Object.assign(fs, { [operation]: fail })
    const again = { ...report, status: 'success' }
    const other = { ...report, key: 'key-2' }
    expect(() => history.persist(again)).toThrow(HistoryFileError)
    expect(() => history.persist(other)).toThrow(
      expect.objectContaining({ path, line: null, cause: planted }),
    )
    expect(history.firstOf(report.key)).toBe(first)
    expect(history.firstOf('key-2')).toBeUndefined()
    expect(history.actionsOf('post-1')).toEqual([first.past])
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(readdirSync(directory.path)).toEqual(['history.json'])

    Object.assign(fs, { [operation]: working })
    expect(history.persist(again)).toMatchObject({ attempts: 2, status: 'success' })
    expect(history.actionsOf('post-1')).toMatchObject([{ state: 'success' }])
  })
})

describe('keys that stand under another post', () => {
  test('are found for the post they were made of, in their present state', () => {
    using directory = scratch()
    const file = new HistoryFile(join(directory.path, 'history.json'))
    const history = new ActionHistory(file)
    const key = actionKey('post-1', 'thread', 'tier_3')
    history.persist({ ...report, key, postId: 'post-2' })
    expect(history.foreignKeysOf('post-1')).toMatchObject([{ key, state: 'running' }])
    expect(history.foreignKeysOf('post-2')).toEqual([])
    history.persist({ ...report, key, status: 'failed' })
    expect(history.foreignKeysOf('post-1')).toMatchObject([{ key, state: 'failed' }])
    expect(new ActionHistory(file).foreignKeysOf('post-1')).toEqual(history.foreignKeysOf('post-1'))
  })

  test('are not those that a post has of its own', () => {
    using directory = scratch()
    const history = new ActionHistory(new HistoryFile(join(directory.path, 'history.json')))
    history.persist(report)
    // Its own key under another action of the same post is a stray, and still not foreign.
    history.persist({ ...report, key: actionKey('post-1', 'edit', 'tier_2') })
    expect(history.foreignKeysOf('post-1')).toEqual([])
    expect(history.actionsOf('post-1')).toHaveLength(2)
  })
})
