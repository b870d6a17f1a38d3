/** Measures how large a file gets with so many posts, and the memory to work on it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { minuteMs } from '../../src/core/duration.ts'
import type { PostRow } from '../../src/ledger/rows.ts'
import { newPost } from '../../test/torture/ledger-rows.ts'
import type { Ground } from './ground.ts'
import { pathOf } from './sqlite-ground.ts'
import { accountOf, benchPolicy, samplesOf, samplesPerPost } from './workload.ts'

export interface SizeFigures {
  readonly posts: number
  readonly samplesPerPost: number
  readonly fileBytes: number
  readonly bytesPerPost: number
  readonly fillSeconds: number
  /** Of a process that opens the file and works on some of its posts. */
  readonly memory: MemoryFigures
}

export interface MemoryFigures {
  readonly emptyBytes: number
  readonly openedBytes: number
  readonly mostBytes: number
}

const postsPerAccount = 1000
const batch = 2000
const name = 'size'

export async function measureSize(
  ground: Ground,
  folder: string,
  posts: number,
): Promise<SizeFigures> {
  const startedMs = performance.now()
  await fill(ground, posts)
  const fillSeconds = Math.round((performance.now() - startedMs) / 1000)
  const path = pathOf(folder, name)
  const memory = await measureMemory(path)
  const fileBytes = statSync(path).size
  return {
    posts,
    samplesPerPost,
    fileBytes,
    bytesPerPost: Math.round(fileBytes / posts),
    fillSeconds,
    memory,
  }
}

/** The way that an engine would take, in larger batches. */
async function fill(ground: Ground, count: number): Promise<void> {
  await using opened = await ground.open(name)
  const { ledger } = opened
  await ledger.savePolicy(benchPolicy)
  const now = await ledger.now()
  for (let from = 0; from < count; from += batch) {
    const posts: PostRow[] = []
    for (let number = from; number < Math.min(count, from + batch); number += 1) {
      const account = accountOf(`owner-${Math.floor(number / postsPerAccount)}`)
      if (number % postsPerAccount === 0) await ledger.saveAccount(account)
      const post = newPost(`post-${number}`, account, now)
      posts.push({ ...post, nextCheckAt: now + (number % 60) * minuteMs })
    }
    await ledger.trackPosts(posts)
    await ledger.recordSamples(posts.flatMap((post) => samplesOf(post, now)))
  }
}

/** In a process of its own, which has nothing else in its memory. */
async function measureMemory(path: string): Promise<MemoryFigures> {
  const program = join(import.meta.dirname, 'memory-worker.ts')
  const args = ['--disable-warning=ExperimentalWarning', program, path]
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  worker.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const [code] = (await once(worker, 'close')) as [number | null]
  if (code !== 0) throw new Error('The worker that measures memory failed')
  return JSON.parse(said) as MemoryFigures
}
