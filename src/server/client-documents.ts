/**
 * Shows who this program is to networks that name a program by an address where they can read about
 * it. They read without signing in, and only a server that is reached over https has such a name.
 */

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv, Services } from './context.ts'

/** Where networks send the browser back to. */
export function callbackAt(origin: string): string {
  return new URL('/sign-in/callback', origin).href
}

export function addClientDocuments(
  app: OpenAPIHono<AppEnv>,
  { networks, settings: { publicUrl } }: Pick<Services, 'networks' | 'settings'>,
): void {
  if (publicUrl === null || new URL(publicUrl).protocol !== 'https:') return
  for (const signIn of networks.connectors.flatMap(({ signIns }) => signIns)) {
    if (signIn.kind !== 'browser' || signIn.clientDocument === undefined) continue
    const { path, document } = signIn.clientDocument(callbackAt(publicUrl))
    app.get(path, () => Response.json(document))
  }
}
