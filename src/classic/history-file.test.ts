/** Tests reading: what the original wrote is understood, and damage is never taken for empty. */

import {
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseInstant } from '../core/instant.ts'
import { HistoryFile } from './history-file.ts'
import { HistoryFileError } from './history-file-error.ts'
import { machineFileSystem } from './replace-file.ts'

const scratch = () => mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))

const sound = {
  idempotency_key: 'key-1',
  post_id: 'post-1',
  action_type: 'comment',
  tier: 'tier_1',
  initiated_at: '2026-07-15T09:15:17+00:00',
  status: 'failed',
  attempts: 2,
  outcome: null,
  error_code: 'timeout',
}

function loadText(text: string | Buffer) {
  using directory = scratch()
  const path = join(directory.path, 'history.json')
  writeFileSync(path, text)
  try {
    return new HistoryFile(path).load()
  } finally {
    expect(readFileSync(path)).toEqual(Buffer.from(text))
    expect(readdirSync(directory.path)).toEqual(['history.json'])
  }
}

function without(field: keyof typeof sound) {
  const { [field]: _removed, ...rest } = sound
  return rest
}

describe('what is read', () => {
  test('a missing file is an empty history', () => {
    using directory = scratch()
    expect(new HistoryFile(join(directory.path, 'none/history.json')).load()).toEqual([])
    expect(readdirSync(directory.path)).toEqual([])
  })

  test('a link to nothing is an empty history', () => {
    using directory = scratch()
    symlinkSync('nowhere.json', join(directory.path, 'link.json'))
    expect(new HistoryFile(join(directory.path, 'link.json')).load()).toEqual([])
  })

  test('a record, with what the guards see of it', () => {
    const text = JSON.stringify(sound)
    const at = parseInstant(sound.initiated_at, 'initiated_at')
    expect(loadText(`[${text}]`)).toEqual([
      {
        text,
        postId: 'post-1',
        status: 'failed',
        attempts: 2,
        errorCode: 'timeout',
        past: {
          key: 'key-1',
          action: 'comment',
          tier: 'tier_1',
          state: 'failed',
          at,
          endedAt: at,
        },
      },
    ])
  })

  test('what may be missing has the original default', () => {
    const { attempts, error_code, outcome, ...least } = sound
    expect([attempts, error_code, outcome]).toEqual([2, 'timeout', null])
    expect(loadText(JSON.stringify([least]))).toMatchObject([{ attempts: 1, errorCode: null }])
  })

  test.each([
    ['2026-07-15T09:15:17Z', '2026-07-15T09:15:17+00:00'],
    ['2026-07-15T11:15:17.000001+02:00', '2026-07-15T09:15:17.000001+00:00'],
  ])('a time written %s', (initiated_at, same) => {
    const [record] = loadText(JSON.stringify([{ ...sound, initiated_at }]))
    expect(record?.past.at).toBe(parseInstant(same, 'initiated_at'))
  })

  test.each([
    ['success', 'success', true],
    ['running', 'running', false],
    ['failed', 'failed', true],
    ['SUCCESS', 'failed', true],
    ['', 'failed', true],
  ])('a status %j counts as %s', (status, state, ended) => {
    const [record] = loadText(JSON.stringify([{ ...sound, status }]))
    expect(record).toMatchObject({ status, past: { state } })
    expect(record?.past.endedAt !== null).toBe(ended)
  })
})

describe('damage is an error that names the line, and the file stays as it is', () => {
  const element = (fields: unknown) =>
    `[\n  ${JSON.stringify(sound)},\n  ${JSON.stringify(fields)}\n]`

  test.each([
    ['an empty file', '', 1, 'the file ends'],
    ['a torn file', element(sound).slice(0, -5), 3, 'does not end on its line'],
    ['a file torn between records', `[\n  ${JSON.stringify(sound)},\n`, 3, 'the file ends'],
    ['no JSON', 'not json', 1, '"[" is expected'],
    ['an object', '{}', 1, 'must hold a JSON array'],
    ['a byte order mark', '\ufeff[]', 1, '"[" is expected'],
    ['NaN in an outcome', '[\n\n{"outcome": NaN}]', 3, 'a JSON value is expected'],
    ['bytes that are no UTF-8', Buffer.from('[\n"\xff"]', 'latin1'), 2, 'it is not UTF-8'],
    ['a record that is a number', element(7), 3, 'record 2: record: is not a JSON object'],
    ['a record that is null', element(null), 3, 'record: is not a JSON object'],
    ['a record that is an array', element([]), 3, 'record: is not a JSON object'],
    ['no idempotency_key', element(without('idempotency_key')), 3, 'idempotency_key: is missing'],
    ['no post_id', element(without('post_id')), 3, 'post_id: is missing'],
    ['no action_type', element(without('action_type')), 3, 'action_type: is not comment'],
    ['no tier', element(without('tier')), 3, 'tier: is not tier_1'],
    ['no initiated_at', element(without('initiated_at')), 3, 'initiated_at: is missing'],
    ['no status', element(without('status')), 3, 'status: is missing'],
    ['an unknown action', element({ ...sound, action_type: 'Edit' }), 3, 'action_type: is not'],
    ['an unknown tier', element({ ...sound, tier: 'tier_4' }), 3, 'tier: is not'],
    ['a key that is a number', element({ ...sound, idempotency_key: 7 }), 3, 'key: is not text'],
    ['a status that is null', element({ ...sound, status: null }), 3, 'status: is not text'],
    ['attempts as text', element({ ...sound, attempts: '2' }), 3, 'attempts: is not a number'],
    ['attempts of null', element({ ...sound, attempts: null }), 3, 'attempts: is not a number'],
    ['a numeric error_code', element({ ...sound, error_code: 5 }), 3, 'error_code: is neither'],
    ['no time', element({ ...sound, initiated_at: 'soon' }), 3, 'is not an ISO 8601 time'],
    [
      'a time without an offset',
      element({ ...sound, initiated_at: '2026-07-15T09:15:17' }),
      3,
      'has no offset',
    ],
    [
      'a time after the year 9999',
      element({ ...sound, initiated_at: '9999-12-31T23:59:59-05:00' }),
      3,
      'initiated_at: 2',
    ],
    [
      'a day that does not exist',
      element({ ...sound, initiated_at: '2026-02-30T09:15:17Z' }),
      3,
      'is not a time that exists',
    ],
  ])('%s', (_name, text, line, problem) => {
    expect(() => loadText(text)).toThrow(HistoryFileError)
    expect(() => loadText(text)).toThrow(expect.objectContaining({ line }))
    expect(() => loadText(text)).toThrow(problem)
    expect(() => loadText(text)).toThrow(
      /history\.json, line \d+: .*; it was left as it is: repair it or put a backup in its place/,
    )
  })

  test('a directory in its place', () => {
    using directory = scratch()
    const path = join(directory.path, 'history.json')
    mkdirSync(path)
    const message = expect.stringContaining(`${path}: it is not a regular file`) as string
    expect(() => new HistoryFile(path).load()).toThrow(HistoryFileError)
    expect(() => new HistoryFile(path).load()).toThrow(
      expect.objectContaining({ path, line: null, message }),
    )
  })

  test('a link that leads back to itself', () => {
    using directory = scratch()
    const path = join(directory.path, 'link.json')
    symlinkSync('link.json', path)
    expect(() => new HistoryFile(path).load()).toThrow(HistoryFileError)
  })

  test('a file that may not be read', () => {
    using directory = scratch()
    const path = join(directory.path, 'history.json')
    writeFileSync(path, '[]')
    const refuse = () => {
      throw new Error('EACCES: permission denied')
    }
    const file = new HistoryFile(path, { ...machineFileSystem, readFileSync: refuse })
    expect(() => file.load()).toThrow(HistoryFileError)
    expect(() => file.load()).toThrow('could not be read (EACCES: permission denied)')
  })
})

test('where the directory is a file there is no history, and a save says why it fails', () => {
  using directory = scratch()
  const path = join(directory.path, 'data/history.json')
  writeFileSync(join(directory.path, 'data'), 'a file')
  const file = new HistoryFile(path)
  expect(file.load()).toEqual([])
  expect(() => file.save(['{}'])).toThrow(HistoryFileError)
  expect(() => file.save(['{}'])).toThrow(/could not be saved \(E.*nothing was recorded/)
  expect(readFileSync(join(directory.path, 'data'), 'utf8')).toBe('a file')
})
