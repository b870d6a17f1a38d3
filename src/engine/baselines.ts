/**
 * Owns the engine's copy of what accounts' past posts were like. Laying it out costs milliseconds
 * where a decision costs microseconds, so it is kept for a while; the curves are in the ledger.
 */

import { horizonMs } from '../core/age-rank/ages.ts'
import { borrowUpTo, chooseCurves, layOut, rollingWindow } from '../core/age-rank/baseline.ts'
import { curveOf } from '../core/age-rank/curve.ts'
import type { Curve } from '../core/age-rank/curve.ts'
import { fitModel } from '../core/age-rank/model.ts'
import type { Clock } from '../core/clock.ts'
import type { DecisionInput } from '../core/decision-input.ts'
import type { AccountId } from '../core/ids.ts'
import type { Json } from '../core/json.ts'
import type { AccountBaseline } from '../core/signal.ts'
import { mayHaveLanded } from '../core/states.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { AccountRow, CurveRow, PostRow } from '../ledger/rows.ts'
import { z } from 'zod'

export class Baselines {
  readonly #ledger: Ledger
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #keepMs: number
  readonly #known = new Map<AccountId, Known>()

  constructor(ledger: Ledger, clock: Pick<Clock, 'monotonicMs'>, keepMs: number) {
    this.#ledger = ledger
    this.#clock = clock
    this.#keepMs = keepMs
  }

  async of(account: AccountRow): Promise<AccountBaseline> {
    const readMs = this.#clock.monotonicMs()
    const known = this.#known.get(account.id)
    if (known !== undefined && readMs - known.readMs < this.#keepMs) return known.value
    const value = await readBaseline(this.#ledger, account)
    this.#known.set(account.id, { readMs, value })
    return value
  }
}

interface Known {
  readonly readMs: number
  readonly value: AccountBaseline
}

export async function readBaseline(ledger: Ledger, account: AccountRow): Promise<AccountBaseline> {
  const baseline = layOut(chooseCurves(await readCurves(ledger, account)))
  return { baseline, model: fitModel(baseline) }
}

/** The account's own curves and, where these are few, some of others on the platform. */
async function readCurves(ledger: Ledger, account: AccountRow): Promise<readonly Curve[]> {
  const own = await ledger.listCurves({ accountId: account.id }, rollingWindow)
  const curves = own.flatMap((row) => toCurve(row, true))
  if (own.length >= borrowUpTo) return curves
  const platform = await ledger.listCurves({ platform: account.platform }, rollingWindow)
  const others = platform.filter(({ accountId }) => accountId !== account.id)
  return [...curves, ...others.flatMap((row) => toCurve(row, false))]
}

const pointsSchema = z.object({
  publishedAt: z.number(),
  counts: z.array(z.number().nullable()),
  impressions: z.array(z.number().nullable()).nullable(),
})

function toCurve({ points, weight }: CurveRow, own: boolean): readonly Curve[] {
  const parsed = pointsSchema.safeParse(points)
  return parsed.success ? [{ ...parsed.data, weight, own }] : []
}

/** For how long after it matured a post's curve is stored, each time anew, in case of a crash. */
const storeForMs = horizonMs / 12

/**
 * Remembers how a post grew, once it is old enough and if nobody ever helped it: a plan that came
 * to nothing helped nobody, and one that waits may be out in part. One that was held out stands for
 * those like it that were acted on and so are missing here.
 */
export async function storeCurve(
  ledger: Ledger,
  post: PostRow,
  { history, now }: DecisionInput,
): Promise<void> {
  const maturedAt = post.publishedAt + horizonMs
  if (now < maturedAt || now > maturedAt + storeForMs) return
  if (history.some(({ state }) => mayHaveLanded(state) || state === 'waiting')) return
  const weight = post.arm === 'holdout' && post.propensity !== null ? 1 / (1 - post.propensity) : 1
  const samples = await ledger.listSamples(post.id)
  const result = curveOf(samples, post.publishedAt, { weight, own: true })
  if (result.kind === 'no_curve') return
  const { publishedAt, counts, impressions } = result.curve
  const points: Json = { publishedAt, counts, impressions }
  const { id: postId, accountId, platform } = post
  const row = { postId, accountId, platform, maturedAt, weight, points }
  await ledger.saveCurve(row, rollingWindow)
}
