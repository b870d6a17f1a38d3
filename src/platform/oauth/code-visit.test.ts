/** Holds the visit to a network’s page to its request and its answer. */

import { describe, expect, it } from 'vitest'
import { codeFrom, visitUrl } from './code-visit.ts'

const back = 'https://wind.example/back'

describe('the page where a person agrees', () => {
  it('is asked for a code, with the state and the challenge', () => {
    const url = new URL(
      visitUrl({
        authorizeUrl: 'https://social.example/oauth/authorize',
        clientId: 'client 1',
        redirectUri: back,
        scopes: ['read', 'write'],
        state: 'state-1',
        challenge: 'challenge-1',
      }),
    )
    expect(url.origin + url.pathname).toBe('https://social.example/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client 1',
      redirect_uri: back,
      scope: 'read write',
      state: 'state-1',
      code_challenge: 'challenge-1',
      code_challenge_method: 'S256',
    })
  })
})

describe('the address that the browser comes back with', () => {
  it('holds the code of the visit that it belongs to', () => {
    expect(codeFrom(`${back}?code=c%2B1&state=state-1`, 'state-1')).toBe('c+1')
  })

  it.each([
    ['of another visit', `${back}?code=canary&state=state-2`, 'another sign-in'],
    ['without a state', `${back}?code=canary`, 'another sign-in'],
    ['of somebody who declined', `${back}?error=access_denied&state=state-1`, 'declined'],
    ['of a visit that failed', `${back}?error=server_error&state=state-1`, 'server_error'],
    ['with a strange error', `${back}?error=<canary>&state=state-1`, 'refused the sign-in; begin'],
    ['without a code', `${back}?state=state-1`, 'no code'],
    ['that is none', 'canary', 'not the address'],
  ])('is refused where it is one %s, and not repeated', (_, answer, words) => {
    const read = () => codeFrom(answer, 'state-1')
    expect(read).toThrow(words)
    expect(read).not.toThrow('canary')
  })
})
