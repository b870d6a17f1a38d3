/** Owns what is refused before anyone looks at it: other names, too much, too often. */

import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Clock } from '../core/clock.ts'
import { minuteMs } from '../core/duration.ts'
import { Throttle } from './auth/throttle.ts'
import type { AppContext, AppEnv } from './context.ts'
import type { ServerSettings } from './parts.ts'
import { Problem } from './problem.ts'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Answers only to its own names. A page elsewhere can point a name of its own at this machine, and
 * the browser would take that for one and the same server.
 */
export function ownNames(settings: ServerSettings): MiddlewareHandler<AppEnv> {
  const { publicUrl, hosts } = settings
  const own = publicUrl === null ? [] : [new URL(publicUrl).hostname]
  const names = new Set([...loopbackNames, ...own, ...hosts.map((name) => name.toLowerCase())])
  return async (context, next) => {
    const { hostname } = new URL(context.req.url)
    if (!names.has(hostname)) {
      const name = hostname.slice(0, 100)
      throw new Problem(421, `This server does not go by the name ${name}; add it to hosts`)
    }
    await next()
  }
}

export function rateLimit(
  clock: Clock,
  settings: Pick<ServerSettings, 'requestsPerMinute' | 'trustProxy'>,
): MiddlewareHandler<AppEnv> {
  const throttle = new Throttle(clock, {
    maximum: settings.requestsPerMinute,
    windowMs: minuteMs,
  })
  return async (context, next) => {
    const address = addressOf(context, settings)
    refuseFor(throttle.waitMs(address), 'Too many requests from this address')
    throttle.count(address)
    await next()
  }
}

export function refuseFor(waitMs: number, detail: string): void {
  if (waitMs <= 0) return
  const retryAfter = Math.ceil(waitMs / 1000)
  throw new Problem(429, `${detail}; try again in ${retryAfter} s`, { retryAfter })
}

/** Who asks, as far as the network tells: through a proxy, the last address that it added. */
export function addressOf(
  context: AppContext,
  { trustProxy }: Pick<ServerSettings, 'trustProxy'>,
): string {
  const forwarded = trustProxy ? context.req.header('x-forwarded-for') : undefined
  const last = forwarded?.split(',').at(-1)?.trim()
  return networkOf(last || (context.env?.incoming?.socket.remoteAddress ?? 'unknown'))
}

/** Of IPv6 the network alone: whoever has one address there has 2⁶⁴ of them. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = ''] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  return [...groups, '0', '0', '0', '0'].slice(0, 4).join(':')
}

export function limitBody({ bodyBytes }: ServerSettings): MiddlewareHandler<AppEnv> {
  return bodyLimit({
    maxSize: bodyBytes,
    onError: () => {
      throw new Problem(413, `A body may have at most ${bodyBytes} bytes; send it in parts`)
    },
  })
}
