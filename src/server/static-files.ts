/**
 * Owns the built dashboard. Its few files are read once and kept, small and packed, so that no path
 * from outside ever reaches the disk. Any other page is one of the dashboard's own.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { hash } from 'node:crypto'
import type { AppContext } from './context.ts'
import { notFound } from './problem.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
const packedAlready = new Set(['.png', '.ico', '.woff2'])

interface StoredFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly packed: Uint8Array<ArrayBuffer> | null
  readonly etag: string
  /** Its name changes with its content. */
  readonly isForEver: boolean
}

export class StaticFiles {
  readonly #files: ReadonlyMap<string, StoredFile>

  /** A folder that is not there, or null, is a server without a dashboard. */
  constructor(folder: string | null) {
    this.#files = folder === null ? new Map() : readFolder(folder)
  }

  answer(context: AppContext): Response {
    const { method, path } = context.req
    if (method !== 'GET' && method !== 'HEAD') throw notFound('path')
    const file = this.#files.get(path) ?? this.#pageFor(path)
    if (file === null) {
      if (this.#files.size > 0) throw notFound('file')
      return context.text('The dashboard is not built; the API is at /api/v1.\n', 404)
    }
    return send(context, file)
  }

  /** A path without an ending is a screen; one with an ending is a file that is not there. */
  #pageFor(path: string): StoredFile | null {
    if (extname(path) !== '' && !/^\/(policy|posts|actions)\//.test(path)) return null
    return this.#files.get('/index.html') ?? null
  }
}

function send(context: AppContext, file: StoredFile): Response {
  const { req } = context
  const headers: Record<string, string> = {
    'content-type': file.type,
    'cache-control': file.isForEver ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  }
  if (req.header('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
  const isPacked = file.packed !== null && /\bgzip\b/.test(req.header('accept-encoding') ?? '')
  const bytes = isPacked && file.packed !== null ? file.packed : file.bytes
  if (isPacked) headers['content-encoding'] = 'gzip'
  headers['content-length'] = String(bytes.length)
  return new Response(req.method === 'HEAD' ? null : bytes, { status: 200, headers })
}

function readFolder(folder: string): ReadonlyMap<string, StoredFile> {
  const files = new Map<string, StoredFile>()
  for (const entry of listFiles(folder)) {
    const path = `/${relative(folder, entry).split(sep).join('/')}`
    const ending = extname(entry)
    const type = types[ending]
    if (type === undefined) continue
    const bytes = new Uint8Array(readFileSync(entry))
    files.set(path, {
      type,
      bytes,
      packed: packedAlready.has(ending) ? null : new Uint8Array(gzipSync(bytes)),
      etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`,
      isForEver: path.startsWith('/assets/'),
    })
  }
  return files
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
