/**
 * A small server that people sign in at, with the directory of accounts beside it. It checks what a
 * careful server checks: the pushed request, the proof's key, the PKCE verifier, one use of a code.
 */

import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serve } from '../../guarded-fetch/servers.ts'
import type { LocalServer } from '../../guarded-fetch/servers.ts'
import { anna } from './fake-pds.ts'
import type { FakePds } from './fake-pds.ts'
import { FakeError } from './fake-repo.ts'
import { ProofCheck } from './proof-check.ts'

interface PushedRequest {
  readonly form: URLSearchParams
  readonly key: string
}

interface Grant extends PushedRequest {
  readonly code: string
}

export class FakeSignIn implements AsyncDisposable {
  readonly proofs: ProofCheck
  readonly requests: PushedRequest[] = []
  readonly refreshTokens = new Set<string>()
  /** What a test may have the server say of itself or of the account. */
  issuer: string | null = null
  handles: readonly string[] = [`at://${anna.handle}`]
  subject: string = anna.did
  algorithms: readonly string[] = ['ES256']
  #grants: Grant[] = []
  #tokens = 0
  readonly #pds: FakePds
  #server: LocalServer | null = null

  private constructor(pds: FakePds, now: () => number) {
    this.#pds = pds
    this.proofs = new ProofCheck(now)
  }

  static async start(pds: FakePds, now: () => number): Promise<FakeSignIn> {
    const signIn = new FakeSignIn(pds, now)
    signIn.#server = await serve((request, response) => void signIn.#answer(request, response))
    return signIn
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  get host(): string {
    return this.#server?.host ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
  }

  /** The person agrees in the browser; the address to which it is sent back. */
  agree(address: string): string {
    const url = new URL(address)
    const number = Number(url.searchParams.get('request_uri')?.split('-').at(-1))
    const pushed = this.requests[number]
    if (pushed === undefined || url.pathname !== '/authorize') throw new Error('No such request')
    const code = `code-${number}-canary`
    this.#grants.push({ ...pushed, code })
    const back = new URL(pushed.form.get('redirect_uri') ?? '')
    back.searchParams.set('state', pushed.form.get('state') ?? '')
    back.searchParams.set('iss', this.url)
    back.searchParams.set('code', code)
    return back.href
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url)
    const head: Record<string, string> = { 'content-type': 'application/json' }
    try {
      const body = Buffer.concat((await request.toArray()) as Buffer[]).toString()
      const answer = this.#route(pathname, request, new URLSearchParams(body))
      response.writeHead(200, head).end(JSON.stringify(answer))
    } catch (error) {
      const known = error instanceof FakeError ? error : new FakeError(400, 'invalid_request', '')
      if ('nonce' in known) head['dpop-nonce'] = String(known.nonce)
      response.writeHead(known.status, head).end(JSON.stringify({ error: known.error }))
    }
  }

  #route(path: string, request: IncomingMessage, form: URLSearchParams): unknown {
    switch (path) {
      case '/.well-known/oauth-protected-resource':
        return { resource: this.#pds.url, authorization_servers: [this.url] }
      case '/.well-known/oauth-authorization-server':
        return this.#metadata()
      case `/${anna.did}`:
        return this.#document()
      case '/par':
        return this.#push(request, form)
      case '/token':
        return this.#token(request, form)
      default:
        throw new FakeError(404, 'not_found', path)
    }
  }

  #metadata(): unknown {
    return {
      issuer: this.issuer ?? this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      pushed_authorization_request_endpoint: `${this.url}/par`,
      require_pushed_authorization_requests: true,
      dpop_signing_alg_values_supported: this.algorithms,
    }
  }

  #document(): unknown {
    const service = { type: 'AtprotoPersonalDataServer', serviceEndpoint: this.url }
    return {
      id: anna.did,
      alsoKnownAs: this.handles,
      service: [{ id: '#atproto_pds', ...service }],
    }
  }

  #push(request: IncomingMessage, form: URLSearchParams): unknown {
    const key = this.proofs.check(request, `${this.url}/par`, null, 400)
    const needed = ['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge']
    if (needed.some((name) => !form.has(name)) || form.get('code_challenge_method') !== 'S256') {
      throw new FakeError(400, 'invalid_request', 'Something is missing')
    }
    this.requests.push({ form, key })
    return { request_uri: `urn:ietf:params:oauth:request_uri:req-${this.requests.length - 1}` }
  }

  #token(request: IncomingMessage, form: URLSearchParams): unknown {
    const key = this.proofs.check(request, `${this.url}/token`, null, 400)
    if (form.get('grant_type') === 'refresh_token') {
      const isKnown = this.refreshTokens.delete(form.get('refresh_token') ?? '')
      if (!isKnown || key !== this.proofs.boundTo) {
        throw new FakeError(400, 'invalid_grant', 'Refresh token replayed')
      }
      return this.#give()
    }
    const grant = this.#grants.find(({ code }) => code === form.get('code'))
    this.#grants = this.#grants.filter((each) => each !== grant)
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    const isSame =
      grant?.key === key &&
      grant.form.get('code_challenge') === challenge &&
      grant.form.get('redirect_uri') === form.get('redirect_uri') &&
      grant.form.get('client_id') === form.get('client_id')
    if (!isSame) throw new FakeError(400, 'invalid_grant', 'The code is not for you')
    this.proofs.boundTo = key
    return this.#give()
  }

  #give(): unknown {
    this.#tokens += 1
    const access = `oauth-access-${this.#tokens}-canary`
    const refresh = `oauth-refresh-${this.#tokens}-canary`
    this.#pds.access.add(access)
    this.refreshTokens.add(refresh)
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: 'DPoP',
      scope: 'atproto transition:generic',
      sub: this.subject,
      expires_in: 3600,
    }
  }
}
