/** Tests that a file is replaced wholly or not at all, whichever step fails. */

import {
  chmodSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { machineFileSystem, replaceFile } from './replace-file.ts'
import type { FileSystem } from './replace-file.ts'

const scratch = () => mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))

/** The machine's file system, of which one operation fails. */
function failingAt(operation: keyof FileSystem): FileSystem {
  const fail = () => {
    throw new Error(`planted: ${operation}`)
  }
  return { ...machineFileSystem, [operation]: fail }
}

/** The machine's file system, which notes in which order what is done to which file. */
function noting(log: string[]): FileSystem {
  const names = new Map<number, string>()
  const nameOf = (path: unknown) => (String(path).endsWith('.tmp') ? 'temporary' : 'directory')
  return {
    ...machineFileSystem,
    openSync: (path, flags) => {
      const file = machineFileSystem.openSync(path, flags)
      names.set(file, nameOf(path))
      return file
    },
    writeFileSync: (file, data) => {
      log.push(`write ${names.get(file as number)}`)
      machineFileSystem.writeFileSync(file, data)
    },
    fsyncSync: (file) => {
      log.push(`flush ${names.get(file)}`)
      machineFileSystem.fsyncSync(file)
    },
    renameSync: (from, to) => {
      log.push(`rename ${nameOf(from)}`)
      machineFileSystem.renameSync(from, to)
    },
  }
}

test('the directory is made where there is none', () => {
  using directory = scratch()
  const path = join(directory.path, 'a/b/history.json')
  replaceFile(machineFileSystem, path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(readdirSync(join(directory.path, 'a/b'))).toEqual(['history.json'])
})

test('the text is flushed before the rename, and the directory after it', () => {
  using directory = scratch()
  const log: string[] = []
  replaceFile(noting(log), join(directory.path, 'history.json'), 'new')
  expect(log).toEqual(['write temporary', 'flush temporary', 'rename temporary', 'flush directory'])
})

test('every directory that was made is flushed into the one above it', () => {
  using directory = scratch()
  const log: string[] = []
  replaceFile(noting(log), join(directory.path, 'a/b/history.json'), 'new')
  expect(log.filter((line) => line === 'flush directory')).toHaveLength(3)
})

describe('a failure leaves the old file and nothing beside it', () => {
  test.each([
    'mkdirSync',
    'openSync',
    'statSync',
    'fchmodSync',
    'writeFileSync',
    'fsyncSync',
    'closeSync',
    'renameSync',
  ] as const)('of %s', (operation) => {
    using directory = scratch()
    const path = join(directory.path, 'history.json')
    writeFileSync(path, 'old')
    expect(() => replaceFile(failingAt(operation), path, 'new')).toThrow(`planted: ${operation}`)
    expect(readFileSync(path, 'utf8')).toBe('old')
    expect(readdirSync(directory.path)).toEqual(['history.json'])
  })

  test('and is the error that is reported, even where the temporary file cannot be removed', () => {
    using directory = scratch()
    const path = join(directory.path, 'history.json')
    writeFileSync(path, 'old')
    const fs = { ...failingAt('rmSync'), renameSync: failingAt('renameSync').renameSync }
    expect(() => replaceFile(fs, path, 'new')).toThrow('planted: renameSync')
    expect(readFileSync(path, 'utf8')).toBe('old')
  })

  test('where a directory stands in the place of the file', () => {
    using directory = scratch()
    const path = join(directory.path, 'history.json')
    mkdirSync(join(path, 'kept'), { recursive: true })
    expect(() => replaceFile(machineFileSystem, path, 'new')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(readdirSync(directory.path)).toEqual(['history.json'])
    expect(readdirSync(path)).toEqual(['kept'])
  })
})

test('who may read the file does not change', () => {
  using directory = scratch()
  const path = join(directory.path, 'history.json')
  writeFileSync(path, 'old')
  for (const mode of [0o600, 0o640, 0o666]) {
    chmodSync(path, mode)
    replaceFile(machineFileSystem, path, 'new')
    expect(statSync(path).mode & 0o7777).toBe(mode)
  }
})

describe('a link', () => {
  test('stays a link, and what it leads to is replaced', () => {
    using directory = scratch()
    mkdirSync(join(directory.path, 'real'))
    const target = join(directory.path, 'real/history.json')
    const link = join(directory.path, 'link.json')
    writeFileSync(target, 'old')
    symlinkSync('real/history.json', link)
    replaceFile(machineFileSystem, link, 'new')
    expect(readlinkSync(link)).toBe('real/history.json')
    expect(readFileSync(target, 'utf8')).toBe('new')
    expect(readdirSync(join(directory.path, 'real'))).toEqual(['history.json'])
  })

  test('in a linked directory is followed from where it really stands', () => {
    using directory = scratch()
    mkdirSync(join(directory.path, 'deep/real'), { recursive: true })
    symlinkSync('deep/real', join(directory.path, 'short'))
    symlinkSync('../history.json', join(directory.path, 'deep/real/link.json'))
    replaceFile(machineFileSystem, join(directory.path, 'short/link.json'), 'new')
    expect(readFileSync(join(directory.path, 'deep/history.json'), 'utf8')).toBe('new')
  })

  test('that leads nowhere yet gets the file it names', () => {
    using directory = scratch()
    const link = join(directory.path, 'link.json')
    symlinkSync('later/history.json', link)
    replaceFile(machineFileSystem, link, 'new')
    expect(readFileSync(join(directory.path, 'later/history.json'), 'utf8')).toBe('new')
    expect(readlinkSync(link)).toBe('later/history.json')
  })

  test('that leads back to itself is refused', () => {
    using directory = scratch()
    const link = join(directory.path, 'link.json')
    symlinkSync('link.json', link)
    expect(() => replaceFile(machineFileSystem, link, 'new')).toThrow('more than 40 links')
    expect(readdirSync(directory.path)).toEqual(['link.json'])
  })
})
