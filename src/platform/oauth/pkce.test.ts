/** Holds the proof of who asked for a code to its standard. */

import { describe, expect, it } from 'vitest'
import { challengeOf, createPkce } from './pkce.ts'

describe('the proof of who asked for a code', () => {
  it('has the challenge that RFC 7636 gives for its verifier', () => {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    expect(challengeOf(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  })

  it('has a verifier of a form and length that servers take', () => {
    const ids = ['3b241101-e2bb-4255-8caf-4136c566a962', 'a3bb189e-8bf9-3888-9912-ace4e6543002']
    const { verifier, challenge } = createPkce({
      fraction: () => 0,
      id: () => ids.shift() ?? '',
    })
    expect(verifier).toMatch(/^[0-9a-f]{64}$/)
    expect(challenge).toBe(challengeOf(verifier))
  })
})
