/**
 * Owns the one question to the name service. Its answer is checked, and the connection is made to
 * what was checked; a name that answers differently a moment later changes nothing.
 */

import { lookup as lookUp } from 'node:dns/promises'
import { isIP } from 'node:net'
import { refusalOf } from './address.ts'
import { unlessAborted, stopError } from './deadline.ts'
import { codeOf, FetchError, placeOf } from './fetch-error.ts'
import type { Target } from './target.ts'

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a name. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string }[]>

/** The machine's own way, which also knows its hosts file. */
export const systemLookup: Lookup = (hostname) => lookUp(hostname, { all: true, order: 'verbatim' })

/** Addresses that may be called, at least one. A single bad one among them refuses all. */
export async function resolveTarget(
  target: Target,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly Address[]> {
  const where = placeOf(target.url)
  const found =
    isIP(target.hostname) === 0
      ? await ask(target.hostname, where, lookup, signal)
      : [{ address: target.hostname }]
  for (const { address } of found) requirePermitted(address, target, where)
  return found.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
}

async function ask(
  hostname: string,
  where: string,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly { readonly address: string }[]> {
  const failure = { kind: 'dns', sent: false, where } as const
  let found: readonly { readonly address: string }[]
  try {
    found = await unlessAborted(lookup(hostname), signal)
  } catch (error) {
    if (signal.aborted) throw stopError(signal, where, false)
    const problem = 'the name of the host could not be resolved'
    throw new FetchError({ ...failure, problem, code: codeOf(error) })
  }
  if (found.length === 0) {
    throw new FetchError({ ...failure, problem: 'the name of the host has no address' })
  }
  return found
}

function requirePermitted(address: string, target: Target, where: string): void {
  const isUsable = isIP(address) !== 0 && !address.includes('%')
  if (target.isAllowed && isUsable) return
  const refusal = refusalOf(address)
  if (refusal === null) return
  throw new FetchError({
    kind: 'refused_address',
    sent: false,
    where,
    problem:
      `leads to ${isUsable ? address : 'something'}, which is ${refusal}; ` +
      `add ${target.url.host} to allowHosts if it is yours`,
  })
}
