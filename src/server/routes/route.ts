/** Owns how a route is declared: who may use it, what it answers, and all that can go wrong. */

import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { RouteConfig } from '@hono/zod-openapi'
import type { z } from 'zod'
import { requireScope } from '../auth/authenticate.ts'
import type { AppEnv } from '../context.ts'
import { fromIssues, titles } from '../problem.ts'
import { problem } from '../schema/fields.ts'
import type { Scope } from '../schema/session.ts'

/** An app for the routes of one resource. What does not fit its schema is refused by field. */
export function createRoutes(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return
      throw fromIssues(result.error.issues, result.target === 'json' ? 'body' : result.target)
    },
  })
}

const documented = [400, 401, 403, 404, 409, 413, 415, 421, 429, 503] as const

const problems = Object.fromEntries(
  documented.map((status) => [
    status,
    { description: titles[status], content: { 'application/problem+json': { schema: problem } } },
  ]),
)

type Declaration<Path extends string> = Omit<RouteConfig, 'path' | 'middleware' | 'security'> & {
  readonly path: Path
}

/** `open` is for those who are not signed in yet. */
export function define<const Path extends string, const Config extends Declaration<Path>>(
  scope: Scope | 'open',
  config: Config,
): Config & { getRoutingPath(): string } {
  return createRoute({
    ...config,
    operationId: nameOf(config.method, config.path),
    ...(scope === 'open'
      ? { security: [] }
      : {
          middleware: requireScope(scope),
          security: [{ token: [] }, { session: [] }],
          'x-scope': scope,
        }),
    responses: { ...config.responses, ...problems },
  })
}

export function answer<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 200: { description, content: { 'application/json': { schema } } } } as const
}

export function created<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 201: { description, content: { 'application/json': { schema } } } } as const
}

export function done(description: string) {
  return { 204: { description } } as const
}

export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } } as const
}

/** What a generated client calls it: `postActionsByIdApprove`. */
function nameOf(method: string, path: string): string {
  const words = path.split(/[/-]/).filter((word) => word !== '')
  const parts = words.map((word) =>
    word.startsWith('{') ? `By${upper(word.slice(1, -1))}` : upper(word),
  )
  return `${method}${parts.join('')}`
}

function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
