/** Owns the token of a printed link. It stands in the fragment, which no server or log sees. */

interface Address {
  readonly hash: string
  readonly search: string
}

export function readLinkToken({ hash, search }: Address): string | null {
  const fragment = new URLSearchParams(hash.replace(/^#/, '')).get('token')
  return fragment ?? new URLSearchParams(search).get('token')
}
