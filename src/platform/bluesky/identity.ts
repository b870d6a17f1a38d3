/** Owns finding an account: from its handle to its permanent id, and from that to its server. */

import { z } from 'zod'
import { InputError, shown } from '../../core/input-error.ts'
import { requireOk } from '../fetch/guarded-response.ts'
import type { SessionTools } from './session-tools.ts'
import { isHandle } from './rich-text.ts'
import { errorNameOf, query, requestOf, urlOf } from './xrpc.ts'

/** Where names are looked up. */
export interface Places {
  /** The server that people have an account at unless they say otherwise. */
  readonly service: string
  /** The directory of permanent ids. */
  readonly directory: string
}

export const publicPlaces: Places = {
  service: 'https://bsky.social',
  directory: 'https://plc.directory',
}

export interface Identity {
  readonly did: string
  readonly handle: string
  readonly pds: string
}

/** As people write them: with a sign in front, or a capital letter. */
export function parseHandle(text: string, field: string): string {
  const handle = text.trim().replace(/^@/, '').toLowerCase()
  if (isHandle(handle)) return handle
  throw new InputError(field, `${shown(text)} is not a handle like name.bsky.social`)
}

/** A server's address without a path; plain names are taken for https. */
export function parseServer(text: string, field: string): string {
  const trimmed = text.trim()
  const address = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
  if (!URL.canParse(address)) throw new InputError(field, `${shown(text)} is not a server’s name`)
  return new URL(address).origin
}

const resolvedSchema = z.object({ did: z.string().regex(/^did:(plc|web):[A-Za-z0-9._:%-]+$/) })

export async function findIdentity(
  tools: SessionTools,
  places: Places,
  handle: string,
  signal: AbortSignal,
): Promise<Identity> {
  const call = query('com.atproto.identity.resolveHandle', { handle })
  const response = await tools.fetch(urlOf(places.service, call), requestOf(call, {}, signal))
  const name = errorNameOf(response)
  if (name === 'HandleNotFound' || name === 'InvalidRequest') {
    throw new InputError('handle', `nobody is known by ${shown(handle)}; check the spelling`)
  }
  const { did } = requireOk(response).parse(resolvedSchema)
  const document = await tools.fetch(documentUrl(did, places), { signal })
  const { pds, handles } = readDocument(requireOk(document).json())
  if (pds === null) throw new InputError('handle', `${shown(handle)} has no server that is known`)
  // The account must claim the handle too, or anyone's name could lead to it.
  if (!handles.includes(handle)) {
    throw new InputError('handle', `${shown(handle)} leads to an account that has another handle`)
  }
  return { did, handle, pds }
}

function documentUrl(did: string, { directory }: Places): string {
  const [, method, ...rest] = did.split(':')
  if (method === 'plc') return `${directory}/${did}`
  // Only whole hosts are permitted on this network, so there is no path to translate.
  return `https://${decodeURIComponent(rest.join(':'))}/.well-known/did.json`
}

const documentSchema = z.object({
  alsoKnownAs: z.array(z.string()).optional(),
  service: z
    .array(z.object({ id: z.string(), type: z.string(), serviceEndpoint: z.unknown() }))
    .optional(),
})

/** The server and the handles that a document of an account names. */
export function readDocument(document: unknown): {
  readonly pds: string | null
  readonly handles: readonly string[]
} {
  const parsed = documentSchema.safeParse(document)
  if (!parsed.success) return { pds: null, handles: [] }
  const { service = [], alsoKnownAs = [] } = parsed.data
  const server = service.find(
    ({ id, type }) => id.endsWith('#atproto_pds') && type === 'AtprotoPersonalDataServer',
  )
  const endpoint = server?.serviceEndpoint
  const isAddress = typeof endpoint === 'string' && URL.canParse(endpoint)
  const handles = alsoKnownAs
    .filter((name) => name.startsWith('at://'))
    .map((name) => name.slice('at://'.length).toLowerCase())
  return { pds: isAddress ? new URL(endpoint).origin : null, handles }
}
