/**
 * Puts the API together. Everything a request passes stands here in its order: named, counted,
 * headed, limited, recognised, kept from being done twice, and then its route.
 */

import type { OpenAPIHono } from '@hono/zod-openapi'
import { requireUnlimited } from './auth/actor.ts'
import { actorOf, authenticate, requireScope } from './auth/authenticate.ts'
import { addClientDocuments } from './client-documents.ts'
import type { AppEnv, Services } from './context.ts'
import { securityHeaders } from './headers.ts'
import type { Health } from './health.ts'
import { idempotency } from './idempotency.ts'
import { limitBody, ownNames, rateLimit } from './limits.ts'
import { addMcp, mcpPath } from './mcp/routes.ts'
import { answerProblem, notFound, toProblem } from './problem.ts'
import { accountRoutes } from './routes/accounts.ts'
import { actionRoutes, decisionRoutes } from './routes/actions.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { evaluateRoutes } from './routes/evaluate.ts'
import { eventRoutes } from './routes/events.ts'
import { exportRoutes } from './routes/export.ts'
import { liftRoutes } from './routes/lift.ts'
import { overviewRoutes } from './routes/overview.ts'
import { pauseRoutes } from './routes/pauses.ts'
import { policyRoutes } from './routes/policies.ts'
import { postRoutes } from './routes/posts.ts'
import { restoreRoutes } from './routes/restore.ts'
import { createRoutes } from './routes/route.ts'
import { sampleRoutes } from './routes/samples.ts'
import { sessionRoutes, tokenRoutes } from './routes/session.ts'
import { signInRoutes } from './routes/sign-ins.ts'
import { trialRoutes } from './routes/trials.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { StaticFiles } from './static-files.ts'

export const apiRoot = '/api/v1'

export function createApp(services: Services, health: Health): OpenAPIHono<AppEnv> {
  const { settings, clock, metrics, random } = services
  const app = createRoutes()
  app.onError((error, context) => {
    const problem = toProblem(error)
    if (problem.status === 500) {
      const { requestId } = context.var
      services.log.error({ error, requestId, path: context.req.path }, 'A request failed')
    }
    return answerProblem(context, problem)
  })
  app.use(async (context, next) => {
    context.set('requestId', random.id())
    context.set('actor', null)
    await next()
  })
  app.use(metrics.measureRequests(clock))
  app.use(securityHeaders(settings))
  app.get('/healthz', (context) => context.json({ status: 'ok' }, 200))
  app.get('/readyz', async (context) => {
    // Whatever keeps it from finding out keeps it from working.
    const report = await health.check().catch(() => null)
    const engine = report?.engine ?? 'unknown'
    if (report?.isReady !== true) return context.json({ status: 'not_ready', engine }, 503)
    return context.json({ status: 'ready', engine }, 200)
  })
  app.use(ownNames(settings))
  app.use(rateLimit(clock, settings))
  app.use(limitBody(settings))
  for (const path of [`${apiRoot}/*`, '/metrics', '/openapi.json', mcpPath]) {
    app.use(path, authenticate(services))
  }
  app.use(`${apiRoot}/*`, idempotency(services))
  addRoutes(app, services, health)
  app.all(`${apiRoot}/*`, () => {
    throw notFound('path')
  })
  const files = new StaticFiles(services.webFolder)
  app.all('*', (context) => files.answer(context))
  return app
}

function addRoutes(app: OpenAPIHono<AppEnv>, services: Services, health: Health): void {
  const resources = [
    sessionRoutes(services),
    tokenRoutes(services),
    overviewRoutes(services, health),
    accountRoutes(services),
    signInRoutes(services),
    trialRoutes(services),
    restoreRoutes(services),
    postRoutes(services),
    sampleRoutes(services),
    evaluateRoutes(services),
    actionRoutes(services),
    decisionRoutes(services),
    approvalRoutes(services),
    policyRoutes(services),
    pauseRoutes(services),
    liftRoutes(services),
    eventRoutes(services),
    exportRoutes(services),
    webhookRoutes(services),
  ]
  for (const routes of resources) app.route(apiRoot, routes)
  addClientDocuments(app, services)
  addMcp(app, services.version)
  const document = () => describeApi(app, services.version)
  app.get('/openapi.json', requireScope('read'), (context) => context.json(document(), 200))
  app.get('/metrics', requireScope('read'), async (context) => {
    requireUnlimited(actorOf(context))
    const text = await services.metrics.text(services.ledger, health)
    return context.body(text, 200, { 'content-type': services.metrics.contentType })
  })
}

/** OpenAPI 3.1, from the same schemas that check requests. */
export function describeApi(app: OpenAPIHono<AppEnv>, version: string) {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Second Wind',
      version,
      description: 'Every post, every decision, and what may go out. See docs/api.md.',
      license: { name: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
  })
  return {
    ...document,
    components: {
      ...document.components,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'secondwind' },
      },
    },
  }
}
