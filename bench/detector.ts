/**
 * Grades the detectors on recorded engagement curves.
 *
 *   node bench/detector.ts <folder> [--json] [--past <posts>] [--fit]
 *
 * The folder holds .csv or .csv.gz files as described in detector/csv.ts. `--json` prints an object
 * a line for each data set and detector. `--past 10` shows how it goes with 10 past posts. `--fit`
 * prints the weights that each data set's training posts lead to when nothing pulls on them: the
 * prior in src/core/age-rank/model.ts is that of Facebook, rounded.
 */

import { parseArgs } from 'node:util'
import { readFolder } from './detector/csv.ts'
import { fitWeights } from './detector/fit.ts'
import { tableOf } from './detector/table.ts'
import { runTask } from './detector/task.ts'

const usage = 'usage: node bench/detector.ts <folder> [--json] [--past <posts>] [--fit]'

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      past: { type: 'string', default: 'Infinity' },
      fit: { type: 'boolean', default: false },
    },
  })
  const [folder] = positionals
  const past = Number(values.past)
  if (folder === undefined || !(past >= 1)) throw new Error(usage)
  const sets = readFolder(folder)
  if (sets.length === 0) throw new Error(`${folder} holds no .csv or .csv.gz file`)
  for (const data of sets) {
    if (values.fit) {
      console.log(JSON.stringify({ dataset: data.name, ...fitWeights(data) }))
      continue
    }
    const results = runTask(data, past)
    if (values.json) for (const result of results) console.log(JSON.stringify(result))
    else console.log(tableOf(results))
  }
}

try {
  main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
