/**
 * Stands in for a person with a browser at the reference server's sign-in page: opens the page,
 * enters the password, agrees, and says to which address the browser is sent back.
 */

import type { GuardedFetch } from '../../../src/platform/guarded-fetch.ts'
import type { GuardedResponse } from '../../../src/platform/fetch/guarded-response.ts'

const api = '/@atproto/oauth-provider/~api'

export interface Person {
  readonly did: string
  readonly handle: string
  readonly password: string
}

export async function agree(fetch: GuardedFetch, page: string, person: Person): Promise<string> {
  const cookies = new Map<string, string>()
  const opened = await fetch(page, {
    headers: {
      'sec-fetch-site': 'none',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  })
  keepCookies(opened, cookies)
  const post = async (path: string, body: object): Promise<unknown> => {
    const { origin } = new URL(page)
    const response = await fetch(`${origin}${api}${path}`, {
      method: 'POST',
      headers: {
        origin,
        referer: page,
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'same-origin',
        'content-type': 'application/json',
        'x-csrf-token': cookies.get('csrf-token') ?? '',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      body: JSON.stringify(body),
    })
    keepCookies(response, cookies)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${response.text()}`)
    return response.json()
  }
  const { handle: username, password, did } = person
  await post('/sign-in', { locale: 'en', username, password, remember: true })
  const { url } = (await post('/consent', { did })) as { readonly url: string }
  return sentBackTo(url)
}

/** The server's last page only hands these on. */
function sentBackTo(url: string): string {
  const { searchParams } = new URL(url)
  const back = new URL(searchParams.get('redirect_uri') ?? '')
  for (const name of ['iss', 'state', 'code', 'error']) {
    const value = searchParams.get(name)
    if (value !== null) back.searchParams.set(name, value)
  }
  return back.href
}

function keepCookies(response: GuardedResponse, cookies: Map<string, string>): void {
  const set = response.header('set-cookie') ?? ''
  for (const [, name = '', value = ''] of set.matchAll(/(?:^|, )([\w-]+)=([^;,]*)/g)) {
    cookies.set(name, value)
  }
}
