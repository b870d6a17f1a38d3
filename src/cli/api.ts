/**
 * Owns how commands ask: always through the HTTP API, whose rules then hold for them too. With
 * `--server` it is one elsewhere; else it is put together in this process, on the ledger that is
 * configured, and no port is opened.
 */

import type { Scope } from '../server/schema/session.ts'
import type { Call } from './call.ts'
import { optionText } from './call.ts'
import { CommandError, exitCodes } from './terminal.ts'
import type { ExitCode } from './terminal.ts'

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null>>

export interface Api extends AsyncDisposable {
  get<Answer>(path: string, query?: Query): Promise<Answer>
  post<Answer>(path: string, body?: unknown, origin?: string): Promise<Answer>
  patch<Answer>(path: string, body: unknown): Promise<Answer>
  put<Answer>(path: string, body: unknown): Promise<Answer>
  remove(path: string, query?: Query): Promise<void>
  /** Whether it is put together in this process. */
  readonly isHere: boolean
  /** The answer as it comes, for what is long. */
  stream(path: string, query: Query): Promise<ReadableStream<Uint8Array>>
}

/** Answers a request, from here or from elsewhere. */
export type Asked = (request: Request) => Promise<Response>

export interface OpenAsk {
  readonly ask: Asked
  readonly isHere: boolean
  readonly close: () => Promise<void>
}

export async function openApi(call: Call): Promise<Api> {
  const { ask, close, isHere } = await openAsk(call, 'admin')
  return apiOn(ask, close, isHere)
}

/** The bare way to ask. Elsewhere the token decides what may be done; here the given scope does. */
export async function openAsk(call: Call, scope: Scope): Promise<OpenAsk> {
  const server = optionText(call, 'server') ?? call.terminal.env['SECONDWIND_SERVER'] ?? null
  if (server !== null) {
    const { askServer } = await import('./remote-api.ts')
    return { ask: askServer(server, call.terminal.env), isHere: false, close: async () => {} }
  }
  const { askHere } = await import('./local-api.ts')
  return askHere(call, scope)
}

interface Sent {
  readonly query?: Query
  readonly body?: unknown
  /** Under which address the server seems to be asked; a sign-in comes back to it. */
  readonly origin?: string | undefined
}

export function apiOn(ask: Asked, close: () => Promise<void>, isHere: boolean): Api {
  const send = async (method: string, path: string, { query = {}, body, origin }: Sent) => {
    const url = new URL(`${origin ?? 'http://localhost'}/api/v1${path}`)
    for (const [name, value] of Object.entries(query)) {
      for (const each of Array.isArray(value) ? (value as readonly string[]) : [value]) {
        if (each !== null) url.searchParams.append(name, String(each))
      }
    }
    const hasBody = body !== undefined
    const response = await ask(
      new Request(url, {
        method,
        headers: hasBody ? { 'content-type': 'application/json' } : {},
        ...(hasBody ? { body: JSON.stringify(body) } : {}),
      }),
    )
    if (!response.ok) throw await problemOf(response)
    return response
  }
  const json = async <Answer>(response: Response) =>
    (response.status === 204 ? null : await response.json()) as Answer
  return {
    get: async (path, query = {}) => json(await send('GET', path, { query })),
    post: async (path, body = {}, origin) => json(await send('POST', path, { body, origin })),
    patch: async (path, body) => json(await send('PATCH', path, { body })),
    put: async (path, body) => json(await send('PUT', path, { body })),
    remove: async (path, query = {}) => {
      await send('DELETE', path, { query })
    },
    stream: async (path, query) => {
      const { body } = await send('GET', path, { query })
      if (body === null) throw new CommandError('The server sent nothing.')
      return body
    },
    isHere,
    [Symbol.asyncDispose]: close,
  }
}

interface ProblemBody {
  readonly title?: string
  readonly detail?: string
  readonly errors?: readonly { readonly field: string; readonly problem: string }[]
}

async function problemOf(response: Response): Promise<CommandError> {
  const body = (await response.json().catch(() => ({}))) as ProblemBody
  const { title = `The server answered ${response.status}`, detail, errors = [] } = body
  const fields = errors.map(({ field, problem }) => `${field}: ${problem}`)
  // One problem is the detail already.
  const words = [detail ?? title, ...(fields.length > 1 ? fields : [])]
  return new CommandError(words.join('\n  '), exitCodeOf(response.status))
}

function exitCodeOf(status: number): ExitCode {
  switch (status) {
    case 400:
      return exitCodes.usage
    case 409:
      return exitCodes.refused
    case 429:
    case 503:
      return exitCodes.tryAgain
    default:
      return exitCodes.failed
  }
}
