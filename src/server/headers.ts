/**
 * Owns what every answer says to the browser: nothing is loaded from elsewhere, nothing is framed,
 * nothing is guessed. There is no CORS: another site's pages cannot read an answer.
 */

import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './context.ts'
import type { ServerSettings } from './parts.ts'

/** Scripts and styles stand in files; what a script of ours sets on an element is not in HTML. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const fixedHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex',
}

export function securityHeaders({ publicUrl }: ServerSettings): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(fixedHeaders)) context.header(name, value)
    if (publicUrl?.startsWith('https:') === true) {
      context.header('strict-transport-security', 'max-age=31536000')
    }
    // What is answered depends on who asks; only files may be kept, and those say so themselves.
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
    context.header('x-request-id', context.var.requestId)
  }
}
