/**
 * Owns a real snac server on 127.0.0.1 and what people do on it by hand: through its own pages, its
 * API and its files, and never through the connector.
 */

import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { installSnac } from './install-snac.ts'
import { SnacUser } from './snac-user.ts'

const run = promisify(execFile)

/** Nobody posts in this one's name: everyone else begins as a copy. */
const first = 'first'

export class Snac implements AsyncDisposable {
  readonly url: string
  readonly #folder: string
  readonly #process: ChildProcess
  #users = 0

  private constructor(folder: string, port: number, process: ChildProcess) {
    this.url = `http://127.0.0.1:${port}`
    this.#folder = folder
    this.#process = process
  }

  static async start(): Promise<Snac> {
    const program = await installSnac()
    const parent = await mkdtemp(join(tmpdir(), 'snac-'))
    const folder = join(parent, 'data')
    const port = await freePort()
    const host = `127.0.0.1:${port}`
    const asked = run(program, ['init', folder])
    asked.child.stdin?.end(`127.0.0.1\n${port}\n${host}\n\n\n`)
    await asked
    const path = join(folder, 'server.json')
    const settings = JSON.parse(await readFile(path, 'utf8')) as object
    // Few threads would be taken by requests that are left hanging on purpose.
    const changes = { protocol: 'http', num_threads: 32, disable_email_notifications: true }
    await writeFile(path, JSON.stringify({ ...settings, ...changes }))
    await run(program, ['adduser', folder, first])
    const process = spawn(program, ['httpd', folder], { stdio: 'ignore' })
    const snac = new Snac(folder, port, process)
    await snac.#untilItAnswers()
    return snac
  }

  /** Somebody new, with an access token. Making a key takes a second, so all have the same one. */
  async addUser(): Promise<SnacUser> {
    this.#users += 1
    const name = `user${this.#users}`
    const password = `password-${this.#users}`
    const folder = join(this.#folder, 'user', name)
    await cp(join(this.#folder, 'user', first), folder, { recursive: true })
    const path = join(folder, 'user.json')
    const settings = JSON.parse(await readFile(path, 'utf8')) as object
    const passwd = `00000000:${hash('sha1', `00000000:${name}:${password}`, 'hex')}`
    await writeFile(path, JSON.stringify({ ...settings, uid: name, name, passwd }))
    return SnacUser.signIn(this.url, name, password)
  }

  /** So many people like a post: each is a line in a file beside it. */
  async like(id: string, amount: number): Promise<void> {
    const object = id.slice(-32)
    const people = Array.from({ length: amount }, (_, index) =>
      index.toString(16).padStart(32, '0'),
    )
    const path = join(this.#folder, 'object', object.slice(0, 2), `${object}_l.idx`)
    await appendFile(path, people.map((line) => `${line}\n`).join(''))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
    await rm(join(this.#folder, '..'), { recursive: true })
  }

  async #untilItAnswers(): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const answer = await fetch(`${this.url}/api/v1/instance`).catch(() => null)
      if (answer?.ok === true) return
      await sleep(25)
    }
    throw new Error('snac did not start')
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
