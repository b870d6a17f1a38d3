/** Asks a server elsewhere, with the token that is in the environment. */

import { readFileSync } from 'node:fs'
import type { Asked } from './api.ts'
import { CommandError, UsageError, exitCodes } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export function askServer(address: string, env: Terminal['env']): Asked {
  const base = parse(address)
  const token = readToken(env)
  return async (request) => {
    const asked = new URL(request.url)
    const url = new URL(`${base.pathname.replace(/\/$/, '')}${asked.pathname}`, base)
    url.search = asked.search
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${token}`)
    const body = request.body === null ? {} : { body: await request.text() }
    try {
      return await fetch(url, { method: request.method, headers, ...body, redirect: 'error' })
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: string } }
      throw new CommandError(
        `${base.origin} cannot be reached (${cause?.code ?? 'no answer'}). Is it running?`,
        exitCodes.tryAgain,
      )
    }
  }
}

function parse(address: string): URL {
  const url = URL.parse(address)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(`--server: ${address} is not an address with http or https.`)
}

function readToken(env: Terminal['env']): string {
  const path = env['SECONDWIND_TOKEN_FILE']
  const token = path === undefined ? env['SECONDWIND_TOKEN'] : readFileSync(path, 'utf8')
  if (token !== undefined && token.trim() !== '') return token.trim()
  throw new UsageError(
    '--server needs a token in SECONDWIND_TOKEN or SECONDWIND_TOKEN_FILE; ' +
      'secondwind tokens add makes one, at the machine of the server.',
  )
}
