/**
 * Grades the lift that is read from a ledger after an engine ran on a simulated network, where the
 * true effect is known: `node bench/lift-ledger.ts [runs] [posts]`.
 *
 * Where bench/lift.ts grades the formula, this grades the whole way: detection, the draw, sends,
 * measurements with artefacts taken off, covariates from before the draw.
 */

import { ann, live } from '../test/builders/lived-ledger.ts'
import { learn } from '../src/engine/learn.ts'

const runs = Number(process.argv[2] ?? 10)
const posts = Number(process.argv[3] ?? 300)

console.log('  effect   helps   hurts   truth covered   mean lift   mean width')
for (const factor of [1, 1.2, 1.5, 2]) {
  let [helps, hurts, covered, lift, width] = [0, 0, 0, 0, 0]
  for (let run = 0; run < runs; run += 1) {
    const wish = { factor, posts, holdoutShare: 0.5, seed: `lift-${run}`, totalSpread: 0.9 }
    const ledger = await live(wish)
    const found = (await learn(ledger, { accountId: ann })).pooled.lift
    if (found?.effect === undefined || found.effect === null) throw new Error('too few posts')
    helps += Number(found.verdict === 'helps')
    hurts += Number(found.verdict === 'hurts')
    const { lowerLift, upperLift } = found.effect
    covered += Number(lowerLift <= factor - 1 && upperLift >= factor - 1)
    lift += found.effect.lift / runs
    width += (upperLift - lowerLift) / runs
  }
  const share = (count: number) => `${((count / runs) * 100).toFixed(0)} %`
  const cells = [`×${factor}`, share(helps), share(hurts), share(covered)]
  const numbers = [lift, width].map((value) => `${(value * 100).toFixed(0)} %`)
  const widths = [8, 8, 8, 16, 12, 13]
  console.log([...cells, ...numbers].map((cell, at) => cell.padStart(widths[at] ?? 0)).join(''))
}
