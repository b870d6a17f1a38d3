/**
 * Owns how time is taken: all contestants take turns in each round, so that whatever else the
 * machine does meets them alike, and the median of the rounds is the figure.
 */

/** Something to measure. It says itself how many nanoseconds one operation took. */
export interface Contestant {
  readonly name: string
  readonly round: () => number | Promise<number>
}

/** For each contestant, nanoseconds an operation in each round. */
export type Rounds = ReadonlyMap<string, readonly number[]>

/** Runs rounds; the first ones are for warming up and do not count. */
export async function takeTurns(
  contestants: readonly Contestant[],
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number },
): Promise<Rounds> {
  const taken = new Map<string, number[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const { name, round: run } of contestants) {
      const ns = await run()
      if (round >= warmUp) taken.get(name)?.push(ns)
    }
  }
  return taken
}

/** What an operation costs a core, in all threads: how long others kept it waiting is left out. */
export function processorTime(count: number, operation: (index: number) => void): () => number {
  return () => {
    const started = process.cpuUsage()
    for (let index = 0; index < count; index += 1) operation(index)
    const { user, system } = process.cpuUsage(started)
    return ((user + system) / count) * 1000
  }
}

/** How long an operation takes, the disk included. */
export function elapsedTime(count: number, operation: (index: number) => void): () => number {
  return () => {
    const startedMs = performance.now()
    for (let index = 0; index < count; index += 1) operation(index)
    return ((performance.now() - startedMs) / count) * 1e6
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new Error('Nothing was measured')
  return middle
}

export function medianNs(rounds: Rounds, name: string): number {
  return medianOf(roundsOf(rounds, name))
}

/** How many times as long one takes as another, compared round by round. */
export function medianRatio(rounds: Rounds, name: string, base: string): number {
  const bases = roundsOf(rounds, base)
  return medianOf(roundsOf(rounds, name).map((ns, round) => ns / (bases[round] ?? NaN)))
}

function roundsOf(rounds: Rounds, name: string): readonly number[] {
  const found = rounds.get(name)
  if (found === undefined) throw new Error(`${name} was not measured`)
  return found
}
