/** Calls of one turn share one transaction, and each is answered for itself after the commit. */

import { expect, test } from 'vitest'
import { LedgerError } from '../ledger-error.ts'
import { GroupCommit } from './group-commit.ts'
import type { Transaction } from './group-commit.ts'

/** Writes down what is asked of it, and fails where it is told to. */
class Recorder implements Transaction {
  readonly log: string[] = []
  failing: string | null = null
  #isOpen = false

  #note(what: string): void {
    this.log.push(what)
    if (this.failing === what) throw new LedgerError('unavailable', `${what} failed`)
  }

  begin(): void {
    this.#note('begin')
    this.#isOpen = true
  }

  commit(): void {
    this.#note('commit')
    this.#isOpen = false
  }

  rollBack(): void {
    this.#note('roll back')
    this.#isOpen = false
  }

  beginStep(): void {
    this.#note('begin step')
  }

  endStep(): void {
    this.#note('end step')
  }

  rollBackStep(): void {
    this.#note('roll back step')
  }

  isOpen(): boolean {
    return this.#isOpen
  }

  /** As SQLite does by itself when the disk is full. */
  abandon(): void {
    this.#isOpen = false
  }

  count(what: string): number {
    return this.log.filter((entry) => entry === what).length
  }
}

function start() {
  const transaction = new Recorder()
  const commits = new GroupCommit(transaction)
  const write = (name: string) => commits.run(() => transaction.log.push(name) && name)
  return { transaction, commits, write }
}

const outcomes = async (calls: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((result) =>
    result.status === 'fulfilled' ? result.value : String(result.reason),
  )

test('a call by itself is one transaction, without a step in it', async () => {
  const { transaction, write } = start()
  expect(await write('one')).toBe('one')
  expect(transaction.log).toEqual(['begin', 'one', 'commit'])
})

test('calls of one turn share a transaction, in the order they were made', async () => {
  const { transaction, write } = start()
  expect(await outcomes([write('one'), write('two')])).toEqual(['one', 'two'])
  const first = ['begin step', 'one', 'end step']
  const second = ['begin step', 'two', 'end step']
  expect(transaction.log).toEqual(['begin', ...first, ...second, 'commit'])
})

test('callers who come back some awaits apart still share one', async () => {
  const { transaction, write } = start()
  const caller = async (awaits: number) => {
    await write('first')
    for (let count = 0; count < awaits; count += 1) await Promise.resolve()
    await write('second')
  }
  await Promise.all([caller(0), caller(1), caller(2), caller(3)])
  expect(transaction.count('commit')).toBe(2)
})

test('nobody is answered before the commit', async () => {
  const { transaction, commits } = start()
  const calls = [1, 2].map((number) =>
    commits.run(() => number).then(() => transaction.log.push(`answer ${number}`)),
  )
  await Promise.all(calls)
  expect(transaction.log.slice(-3)).toEqual(['commit', 'answer 1', 'answer 2'])
})

test('one that throws takes back its own step only', async () => {
  const { transaction, commits, write } = start()
  const wrong = commits.run(() => {
    throw new Error('no such action')
  })
  expect(await outcomes([write('one'), wrong, write('three')])).toEqual([
    'one',
    'Error: no such action',
    'three',
  ])
  expect(transaction.count('roll back step')).toBe(1)
  expect(transaction.count('commit')).toBe(1)
  expect(transaction.count('roll back')).toBe(0)
})

test('alone, one that throws takes back its transaction', async () => {
  const { transaction, commits } = start()
  const wrong = commits.run(() => {
    throw new Error('no such action')
  })
  expect(await outcomes([wrong])).toEqual(['Error: no such action'])
  expect(transaction.log).toEqual(['begin', 'roll back'])
})

test('where the commit fails, all of them fail and nothing is written', async () => {
  const { transaction, write } = start()
  transaction.failing = 'commit'
  const failure = 'LedgerError: commit failed'
  expect(await outcomes([write('one'), write('two')])).toEqual([failure, failure])
  expect(transaction.log.at(-1)).toBe('roll back')
  transaction.failing = null
  expect(await write('three')).toBe('three')
})

test('where it cannot begin, all of them fail', async () => {
  const { transaction, write } = start()
  transaction.failing = 'begin'
  const failure = 'LedgerError: begin failed'
  expect(await outcomes([write('one'), write('two')])).toEqual([failure, failure])
  expect(transaction.log).toEqual(['begin'])
})

test('where SQLite gives the transaction up, all of them fail', async () => {
  const { transaction, commits, write } = start()
  const full = commits.run(() => {
    transaction.abandon()
    throw new LedgerError('conflict', 'gone')
  })
  const failure = 'LedgerError: gone'
  expect(await outcomes([write('one'), full, write('three')])).toEqual([failure, failure, failure])
  expect(transaction.count('commit')).toBe(0)
  expect(transaction.count('roll back')).toBe(0)
})

test('a full disk in one step fails all of them, and the next call is tried again', async () => {
  const { transaction, commits, write } = start()
  const full = commits.run(() => {
    throw new LedgerError('unavailable', 'disk full')
  })
  const failure = 'LedgerError: disk full'
  expect(await outcomes([write('one'), full])).toEqual([failure, failure])
  expect(transaction.log.at(-1)).toBe('roll back')
  expect(await write('two')).toBe('two')
})

test('once the ledger is known to be damaged nothing more is written', async () => {
  const { transaction, commits, write } = start()
  const found = commits.run(() => {
    throw new LedgerError('damaged', 'page 7')
  })
  const failure = 'LedgerError: page 7'
  expect(await outcomes([found])).toEqual([failure])
  const before = transaction.log.length
  expect(await outcomes([write('one'), write('two')])).toEqual([failure, failure])
  expect(transaction.log.length).toBe(before)
})

test('a great many calls are spread over transactions of at most 256', async () => {
  const { transaction, write } = start()
  const names = Array.from({ length: 600 }, (_, index) => String(index))
  expect(await outcomes(names.map(write))).toEqual(names)
  expect(transaction.count('commit')).toBe(3)
  expect(transaction.log.filter((entry) => /^\d+$/.test(entry))).toEqual(names)
})

test('work that runs alone comes after what was called before it', async () => {
  const { transaction, commits, write } = start()
  const first = write('one')
  const alone = commits.runAlone(() => transaction.log.push('alone') && 'alone')
  expect(transaction.log).toEqual(['begin', 'one', 'commit', 'begin', 'alone', 'commit'])
  expect(await outcomes([first, alone])).toEqual(['one', 'alone'])
})

test('calls that were flushed meanwhile are not waited for, and the next ones are', async () => {
  const { transaction, commits, write } = start()
  const flushed = [write('one'), write('two')]
  commits.flush()
  const next = write('three')
  expect(await outcomes([...flushed, next])).toEqual(['one', 'two', 'three'])
  expect(await write('four')).toBe('four')
  expect(transaction.count('commit')).toBe(3)
})

test('work that throws alone is refused, not thrown at whoever flushes', async () => {
  const { commits } = start()
  const wrong = commits.runAlone(() => {
    throw new Error('no')
  })
  await expect(wrong).rejects.toThrow('no')
})
