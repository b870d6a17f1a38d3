/** Owns what may be asked for at all: the form of a URL, and the hosts that the owner allowed. */

import { isIP } from 'node:net'
import { InputError, shown } from '../../core/input-error.ts'
import { FetchError, placeOf } from './fetch-error.ts'

/** Where a request goes. Its addresses are not known yet. */
export interface Target {
  readonly url: URL
  /** A name, or an address without brackets. */
  readonly hostname: string
  readonly port: number
  readonly isSecure: boolean
  /** The owner allowed this host: it may be private, and may speak plain HTTP. */
  readonly isAllowed: boolean
}

/** Hosts that the owner allowed, as `host` for all its ports or as `host:port`. */
export class AllowList {
  readonly #entries: ReadonlySet<string>

  constructor(hosts: readonly string[]) {
    this.#entries = new Set(hosts.map((host, index) => parseEntry(host, `allowHosts[${index}]`)))
  }

  allows(host: string, port: number): boolean {
    return this.#entries.has(host) || this.#entries.has(`${host}:${port}`)
  }
}

/** Reads a URL as browsers do, which turns 0x7f.1 and 2130706433 into plain 127.0.0.1. */
export function parseTarget(input: string | URL, allowList: AllowList): Target {
  const url = URL.canParse(String(input)) ? new URL(String(input)) : null
  if (url === null) throw badUrl('the address of the request', 'cannot be read as a URL')
  const where = placeOf(url)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badUrl(`a URL with ${url.protocol}`, 'only https is supported')
  }
  if (url.username !== '' || url.password !== '') {
    throw badUrl(where, 'has a login in it; credentials belong in a header')
  }
  if (url.hostname.endsWith('.')) throw badUrl(where, 'the name of the host ends with a dot')
  const isSecure = url.protocol === 'https:'
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const isAllowed = allowList.allows(url.hostname, port)
  if (!isSecure && !isAllowed) {
    throw badUrl(where, `is not https; add ${url.host} to allowHosts if it is yours`)
  }
  return { url, hostname: withoutBrackets(url.hostname), port, isSecure, isAllowed }
}

function badUrl(where: string, problem: string): FetchError {
  return new FetchError({ kind: 'bad_url', sent: false, where, problem })
}

function withoutBrackets(hostname: string): string {
  const inner = /^\[(.*)\]$/.exec(hostname)?.[1]
  return inner !== undefined && isIP(inner) === 6 ? inner : hostname
}

/** Brings an entry to the form in which URLs have their hosts. */
function parseEntry(entry: string, field: string): string {
  const problem = `${shown(entry)} is not a host like pds.example or 127.0.0.1:3000`
  if (/[/?#@\\*\s]/.test(entry) || !URL.canParse(`http://${entry}`)) {
    throw new InputError(field, problem)
  }
  const { hostname } = new URL(`http://${entry}`)
  if (hostname.endsWith('.')) throw new InputError(field, `${problem}; remove the last dot`)
  // The port is read by hand, because a URL drops the one that is usual.
  const port = /:(\d+)$/.exec(entry.replace(/^\[.*\]/, ''))?.[1]
  return port === undefined ? hostname : `${hostname}:${Number(port)}`
}
