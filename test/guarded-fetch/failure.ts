/** Awaits a call that must fail, and gives its error. */

import { FetchError } from '../../src/platform/fetch/fetch-error.ts'

export async function failureOf(call: Promise<unknown>): Promise<FetchError> {
  try {
    await call
  } catch (error) {
    if (error instanceof FetchError) return error
    throw error
  }
  throw new Error('the call succeeded')
}

/** The two things that a caller decides by. */
export async function kindAndSent(call: Promise<unknown>): Promise<readonly [string, boolean]> {
  const { kind, sent } = await failureOf(call)
  return [kind, sent]
}
