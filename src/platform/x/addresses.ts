/** Owns where X is. Tests have one of their own. */

export interface Addresses {
  readonly api: string
  /** The page where a person agrees. */
  readonly authorize: string
}

export const xAddresses: Addresses = {
  api: 'https://api.x.com',
  authorize: 'https://x.com/i/oauth2/authorize',
}
