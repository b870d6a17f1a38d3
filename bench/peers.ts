/**
 * Measures Second Wind against what it replaces: one JSON file, written anew for each action.
 *
 *   npm run bench:peers -- [--json] [--write] [--original <file.py>] [--folder path]
 *
 * What a decision and a recorded action cost with 100, 1,000 and 10,000 records: by the original
 * executor, where its file and python3 are there, by the classic drop-in, and by the standard
 * policy on a ledger in SQLite. Without the original the classic drop-in stands for it, which
 * writes the same file in the same way. All take turns in each round; figures are medians, ratios
 * are taken round by round. Deciding is measured in processor time, recording in elapsed time.
 *
 * Files are on a disk, under node_modules/.cache unless a folder is given, and are removed.
 * `--write` puts the result into docs/benchmarks.md.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { questions } from './core/history-sizes.ts'
import { findPython, startOriginal } from './core/original.ts'
import type { Original } from './core/original.ts'
import { medianNs, medianRatio, takeTurns } from './core/rounds.ts'
import { describeMachine } from './ledger/machine.ts'
import { openFilePeers } from './peers/file-peers.ts'
import { openLedgerPeer } from './peers/ledger-peer.ts'
import { describe, toMarkdown } from './peers/report.ts'
import type { Figure, PeerReport } from './peers/report.ts'
import { perRound, rounds, sizes } from './peers/workload.ts'
import type { Peer, Size } from './peers/workload.ts'
import { writeSection } from './report.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      original: { type: 'string' },
      folder: { type: 'string', default: 'node_modules/.cache/secondwind-bench' },
    },
  })
  const folder = makeFolder(values.folder)
  const original = values.original === undefined ? null : openOriginal(values.original)
  try {
    const report = await measure(folder, original)
    console.log(values.json ? JSON.stringify(report) : describe(report))
    if (values.write) writeSection('peers', toMarkdown(report))
  } finally {
    original?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function makeFolder(given: string): string {
  mkdirSync(given, { recursive: true })
  return mkdtempSync(resolve(given, 'run-'))
}

function openOriginal(file: string): Original {
  const python = findPython()
  if (python === null) throw new Error('--original needs python3, which runs it')
  return startOriginal(resolve(file), questions, python)
}

/** All peers with records of one number. The first is what the others are compared with. */
interface Field {
  readonly size: Size
  readonly peers: readonly Peer[]
}

async function measure(folder: string, original: Original | null): Promise<PeerReport> {
  const machine = describeMachine(folder)
  await using stack = new AsyncDisposableStack()
  const fields: Field[] = []
  for (const size of sizes) {
    const ledger = stack.use(await openLedgerPeer(folder, size))
    const files = await openFilePeers(folder, size, original)
    const peers = [files.original, files.classic, ledger].filter((peer) => peer !== null)
    fields.push({ size, peers })
  }
  const decisions = await compare(fields, 'decision')
  const actions = await compare(fields, 'action')
  const figures = fields.map(({ size }, index) => ({
    records: size,
    decision: decisions[index] ?? [],
    action: actions[index] ?? [],
  }))
  return { machine, python: original?.python ?? null, sizes: figures }
}

/** All sizes take turns as well, so that what grows with them can be told from what passed by. */
async function compare(
  fields: readonly Field[],
  what: 'decision' | 'action',
): Promise<readonly (readonly Figure[])[]> {
  const contestants = fields.flatMap(({ size, peers }) =>
    peers.map((peer) => {
      const count = perRound[peer.name][what][size]
      const round = () => (what === 'decision' ? peer.decide(count) : peer.record(count))
      return { name: nameOf(peer, size), round }
    }),
  )
  const taken = await takeTurns(contestants, { rounds: rounds[what], warmUp: rounds.warmUp })
  return fields.map(({ size, peers }) =>
    peers.map((peer) => ({
      name: peer.name,
      nsEach: Math.round(medianNs(taken, nameOf(peer, size))),
      timesAsFast: medianRatio(taken, nameOf(peers[0] ?? peer, size), nameOf(peer, size)),
    })),
  )
}

function nameOf({ name }: Peer, size: Size): string {
  return `${name} with ${size}`
}

await main()
