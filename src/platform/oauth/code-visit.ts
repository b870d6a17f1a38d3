/** Owns the visit to a network's own page: the address to go to, and the answer it comes with. */

import { timingSafeEqual } from 'node:crypto'
import { InputError } from '../../core/input-error.ts'

export interface CodeRequest {
  /** The network's page, where the person agrees. */
  readonly authorizeUrl: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string
  readonly challenge: string
}

export function visitUrl(request: CodeRequest): string {
  const url = new URL(request.authorizeUrl)
  const query = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    scope: request.scopes.join(' '),
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** The code in the address that the browser came back with. Errors never repeat the address. */
export function codeFrom(answer: string, state: string): string {
  if (!URL.canParse(answer)) {
    throw new InputError('answer', 'is not the address to which the browser was sent back')
  }
  const { searchParams } = new URL(answer)
  if (!isSame(searchParams.get('state') ?? '', state)) {
    throw new InputError('answer', 'belongs to another sign-in; begin again')
  }
  const error = searchParams.get('error')
  if (error !== null) throw new InputError('answer', refusalOf(error))
  const code = searchParams.get('code')
  if (code === null || code === '') {
    throw new InputError('answer', 'holds no code; copy the whole address of the page')
  }
  return code
}

function refusalOf(error: string): string {
  if (error === 'access_denied') return 'the sign-in was declined on the page; begin again'
  const isPlain = /^[a-z_]{1,40}$/.test(error)
  return `the network refused the sign-in${isPlain ? ` (${error})` : ''}; begin again`
}

/** In the same time, however much of it is right. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
