/**
 * Owns the worker processes: starts them with clocks that are minutes apart, kills them, lets them
 * leave in good order, and keeps what they said. One that ends by itself is a finding.
 */

import { minuteMs, secondMs } from '../../src/core/duration.ts'
import { AckBook } from '../torture/acknowledgement.ts'
import { WorkerProcess } from '../torture/worker-process.ts'
import type { BugName } from './planted-bugs.ts'
import { comesAbout, within } from './waiting.ts'
import type { ChaosMessage, ChaosTask } from './worker.ts'

/** Some are ahead of the server's clock and some behind, by more than anything here lasts. */
const skewsMs = [7, -4, 2, -11].map((minutes) => minutes * minuteMs)

/** A worker that was told to leave is gone by then, once nothing is in its way any more. */
const leavesWithinMs = 30 * secondMs

/** On a machine that has much else to do. */
const startsWithinMs = 30 * secondMs

interface Member {
  readonly name: string
  readonly process: WorkerProcess<ChaosMessage>
  /** Null until it has opened what it works on. */
  pid: number | null
  fate: 'works' | 'killed' | 'leaving' | 'gone'
}

export interface FleetSettings extends Pick<ChaosTask, 'connectionString' | 'urls'> {
  readonly bug: BugName | null
}

export class Fleet {
  readonly book = new AckBook()
  readonly problems: string[] = []
  readonly #settings: FleetSettings
  readonly #members: Member[] = []
  #leaving: Promise<void>[] = []
  #started = 0

  constructor(settings: FleetSettings) {
    this.#settings = settings
  }

  get atWork(): readonly Member[] {
    return this.#members.filter(({ fate }) => fate === 'works')
  }

  start(): void {
    const number = this.#started
    this.#started += 1
    const name = `worker-${number}`
    const skewMs = skewsMs[number % skewsMs.length] ?? 0
    const { connectionString, urls, bug } = this.#settings
    const task: ChaosTask = { name, connectionString, urls, skewMs, bug }
    const process = new WorkerProcess<ChaosMessage>('../chaos/worker.ts', task, (message) => {
      this.#hear(member, message)
    })
    const member: Member = { name, process, pid: null, fate: 'works' }
    this.#members.push(member)
    void this.#watch(member)
  }

  async #watch(member: Member): Promise<void> {
    const { code, signal, complaints } = await member.process.ended
    if (member.fate !== 'works') return
    member.fate = 'gone'
    this.problems.push(`${member.name} ended by itself (${code ?? signal}): ${complaints}`)
  }

  /** Waits until those that were started are at work. */
  async haveStarted(): Promise<void> {
    await comesAbout(startsWithinMs, () => this.atWork.every(({ pid }) => pid !== null))
  }

  #hear(member: Member, message: ChaosMessage): void {
    switch (message.say) {
      case 'ready':
        member.pid = message.pid
        return
      case 'ack':
        this.book.note(message.ack)
        return
      case 'problem':
        this.problems.push(`${member.name}: ${message.what}`)
    }
  }

  /** Ends one without a word, and starts another in its place. */
  async replaceKilled(fraction: number): Promise<void> {
    const member = this.#pick(fraction)
    this.start()
    if (member === undefined) return
    member.fate = 'killed'
    member.process.kill()
    await member.process.ended
  }

  /** Tells one to leave, and starts another. That it leaves is awaited in the end. */
  replaceStopped(fraction: number): void {
    const member = this.#pick(fraction)
    this.start()
    if (member !== undefined) this.#leaving.push(this.#leave(member))
  }

  /** One of those that are at work and can be told something. */
  #pick(fraction: number): Member | undefined {
    const ready = this.atWork.filter(({ pid }) => pid !== null)
    return ready[Math.floor(fraction * ready.length)]
  }

  async #leave(member: Member): Promise<void> {
    member.fate = 'leaving'
    await comesAbout(startsWithinMs, () => member.pid !== null)
    if (member.pid !== null) process.kill(member.pid, 'SIGTERM')
    const { code, signal, complaints } = await member.process.ended
    if (code === 0) return
    this.problems.push(`${member.name} did not leave well (${code ?? signal}): ${complaints}`)
  }

  /** Lets all leave. Who does not is a finding, and is killed. */
  async stopAll(): Promise<void> {
    for (const member of this.atWork) this.#leaving.push(this.#leave(member))
    const left = await within(leavesWithinMs, Promise.all(this.#leaving))
    if (left === 'too_late') this.problems.push('a worker that was told to leave did not')
    await this.killAll()
  }

  async killAll(): Promise<void> {
    for (const member of this.#members) {
      if (member.fate === 'works') member.fate = 'killed'
      member.process.kill()
    }
    await Promise.all(this.#members.map(({ process }) => process.ended))
  }
}
