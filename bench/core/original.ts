/** Owns the original executor as an opponent: a Python process that is asked line by line. */

import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const driver = fileURLToPath(new URL('original-driver.py', import.meta.url))

export interface Original {
  readonly python: string
  /** What it answers to one question on a history file. */
  answer(path: string, question: object): Promise<unknown>
  /** How many nanoseconds one operation takes it, as it measures itself. */
  time(what: 'evaluate' | 'persist', path: string, count: number): Promise<number>
  close(): void
}

/** The version of `python3`, or null where there is none. */
export function findPython(): string | null {
  const found = spawnSync('python3', ['--version'], { encoding: 'utf8' })
  return found.status === 0 ? found.stdout.trim() : null
}

export function startOriginal(
  file: string,
  questions: readonly object[],
  python: string,
): Original {
  const child = spawn('python3', [driver, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (command: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(command)}\n`)
    const line = await lines.next()
    if (line.done === true) throw new Error('The original ended early; its error stands above')
    return JSON.parse(line.value)
  }
  return {
    python,
    answer: (path, question) => ask({ do: 'answer', path, question }),
    time: async (what, path, count) => {
      const ns = await ask({ do: what, path, count, questions })
      if (typeof ns !== 'number') throw new Error('The original gave no time')
      return ns
    },
    close: () => child.stdin.end(),
  }
}
