/** Owns somebody on a snac server who posts, replies, edits and deletes by hand. */

export interface SnacStatus {
  readonly id: string
  readonly uri: string
  readonly text: string
  readonly visibility: string
  readonly spoiler_text: string
  readonly sensitive: boolean
  readonly language: string
  readonly in_reply_to_id: string | null
  readonly media_attachments: readonly { readonly id: string; readonly url: string }[]
}

const formType = 'application/x-www-form-urlencoded'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export class SnacUser {
  readonly name: string
  readonly token: string
  readonly #server: string
  readonly #password: string

  private constructor(server: string, name: string, password: string, token: string) {
    this.#server = server
    this.name = name
    this.#password = password
    this.token = token
  }

  static async signIn(server: string, name: string, password: string): Promise<SnacUser> {
    const form = new URLSearchParams({ login: name, passwd: password })
    const path = `${server}/oauth/x-snac-get-token`
    const response = await ask(path, { method: 'POST', body: form })
    const token = (await response.text()).trim()
    if (!/^[0-9a-f]{32}$/.test(token)) throw new Error(`${name} could not sign in`)
    return new SnacUser(server, name, password, token)
  }

  async post(status: {
    readonly text: string
    readonly visibility: string
    readonly parentId?: string
    readonly hasImage?: boolean
  }): Promise<SnacStatus> {
    const media = status.hasImage === true ? [await this.#upload()] : []
    return this.#write('POST', '/api/v1/statuses', {
      status: status.text,
      visibility: status.visibility,
      media_ids: media,
      ...(status.parentId === undefined ? {} : { in_reply_to_id: status.parentId }),
    })
  }

  edit(id: string, text: string): Promise<SnacStatus> {
    return this.#write('PUT', `/api/v1/statuses/${id}`, { status: text })
  }

  /** Null where it is gone. */
  async look(id: string): Promise<SnacStatus | null> {
    const response = await this.#read(`/api/v1/statuses/${id}`)
    return response.status === 404 ? null : ((await response.json()) as SnacStatus)
  }

  /** By the form on the page of the timeline: the API has no way. */
  async remove(id: string): Promise<void> {
    const status = await this.look(id)
    if (status === null) return
    const login = Buffer.from(`${this.name}:${this.#password}`).toString('base64')
    const actor = `${this.#server}/${this.name}`
    await ask(`${actor}/admin/action`, {
      method: 'POST',
      // It knows forms by this very name, without a character set.
      headers: { authorization: `Basic ${login}`, 'content-type': formType },
      body: new URLSearchParams({ id: status.uri, actor, action: 'Delete' }).toString(),
      redirect: 'manual',
    })
    if ((await this.look(id)) !== null) throw new Error(`${id} could not be removed`)
  }

  /** The direct replies, the oldest first. */
  async repliesTo(id: string): Promise<readonly SnacStatus[]> {
    const response = await this.#read(`/api/v1/statuses/${id}/context`)
    if (!response.ok) return []
    const { descendants } = (await response.json()) as { descendants: readonly SnacStatus[] }
    const parent = id.slice(-32)
    return descendants.filter((status) => status.in_reply_to_id?.slice(-32) === parent)
  }

  /** Agrees on the page of the server, and gives the address that the browser is sent back to. */
  async agree(visitUrl: string): Promise<string> {
    const { searchParams } = new URL(visitUrl)
    const form = new URLSearchParams({
      login: this.name,
      passwd: this.#password,
      redir: searchParams.get('redirect_uri') ?? '',
      cid: searchParams.get('client_id') ?? '',
      state: searchParams.get('state') ?? '',
    })
    const response = await ask(`${this.#server}/oauth/x-snac-login`, {
      method: 'POST',
      headers: { 'content-type': formType },
      body: form.toString(),
      redirect: 'manual',
    })
    return response.headers.get('location') ?? ''
  }

  async #upload(): Promise<string> {
    const body = new FormData()
    body.set('file', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'pixel.png')
    body.set('description', 'A pixel')
    const headers = { authorization: `Bearer ${this.token}` }
    const response = await ask(`${this.#server}/api/v2/media`, { method: 'POST', headers, body })
    return ((await response.json()) as { id: string }).id
  }

  #read(path: string): Promise<Response> {
    return ask(`${this.#server}${path}`, { headers: { authorization: `Bearer ${this.token}` } })
  }

  async #write(method: string, path: string, body: object): Promise<SnacStatus> {
    const response = await ask(`${this.#server}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`snac answered ${response.status} to ${method} ${path}`)
    return (await response.json()) as SnacStatus
  }
}

interface Asked extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
}

/** On a connection of its own: it closes those that were used, without a word. */
function ask(url: string, options: Asked): Promise<Response> {
  return fetch(url, { ...options, headers: { ...options.headers, connection: 'close' } })
}
