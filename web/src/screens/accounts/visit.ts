/** Owns which visit to a network's own page is under way. It lasts as long as this tab. */

const storageKey = 'sign-in-state'

export function rememberVisit(state: string): void {
  sessionStorage.setItem(storageKey, state)
}

/** Gives the visit's state once, from this tab or from the address it came back to. */
export function recallVisit(address: string): string | null {
  const stored = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return stored ?? new URL(address).searchParams.get('state')
}
