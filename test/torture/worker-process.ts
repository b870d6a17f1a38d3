/**
 * Owns a worker in a process of its own, from both sides: how the test starts, hears and ends it,
 * and how the worker learns its task and speaks.
 */

import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { join } from 'node:path'

export interface WorkerEnd {
  readonly code: number | null
  readonly signal: string | null
  /** What it wrote to its error stream. */
  readonly complaints: string
}

export class WorkerProcess<Message> {
  readonly ended: Promise<WorkerEnd>
  readonly #child: ChildProcessWithoutNullStreams

  /** The program is the name of a file in this folder. */
  constructor(program: string, task: object, onMessage: (message: Message) => void) {
    const path = join(import.meta.dirname, program)
    const args = ['--disable-warning=ExperimentalWarning', path, JSON.stringify(task)]
    this.#child = spawn(process.execPath, args)
    const heard = new LineReader((line) => onMessage(JSON.parse(line) as Message))
    this.#child.stdout.on('data', (chunk: Buffer) => heard.take(chunk))
    // Who was killed does not read what it is told.
    this.#child.stdin.on('error', () => {})
    this.ended = this.#watch()
  }

  tell(line: string): void {
    this.#child.stdin.write(`${line}\n`)
  }

  /** Ends it as a power cut would. What it said before can still be heard. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async #watch(): Promise<WorkerEnd> {
    let complaints = ''
    this.#child.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString()
    })
    // Only then are all of its streams at their end.
    const [code, signal] = (await once(this.#child, 'close')) as [number | null, string | null]
    return { code, signal, complaints }
  }
}

/** A line counts once it is whole: the last words of a killed process may be half a line. */
class LineReader {
  readonly #onLine: (line: string) => void
  #rest = Buffer.alloc(0)

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  take(chunk: Buffer): void {
    let rest = Buffer.concat([this.#rest, chunk])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      this.#onLine(rest.subarray(0, end).toString())
      rest = rest.subarray(end + 1)
    }
    this.#rest = rest
  }
}

/** In the worker: its task, of whatever type it was given. */
export function readTask(): unknown {
  return JSON.parse(process.argv[2] ?? '')
}

/** In the worker: says something before it does anything else, so that it is heard if it dies. */
export function say(message: object): void {
  writeSync(1, `${JSON.stringify(message)}\n`)
}

/** In the worker: waits for a line from the test. */
export async function hear(): Promise<void> {
  await once(process.stdin, 'data')
  process.stdin.destroy()
}
