/** Serves the tools over HTTP at `/mcp`, to whoever shows a token. */

import { createMcpHandler } from '@modelcontextprotocol/server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { actorOf } from '../auth/authenticate.ts'
import { requireScope } from '../auth/authenticate.ts'
import type { AppEnv } from '../context.ts'
import { createMcpServer } from './tools.ts'

export const mcpPath = '/mcp'

export function addMcp(app: OpenAPIHono<AppEnv>, version: string): void {
  app.all(mcpPath, requireScope('read'), async (context) => {
    const actor = actorOf(context)
    const ask = async (request: Request) => app.fetch(request, { actor })
    const handler = createMcpHandler(() => createMcpServer(ask, version))
    return handler.fetch(context.req.raw)
  })
}
