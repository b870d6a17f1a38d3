/** Owns one send of one delivery: signed as Standard Webhooks say, through the guarded fetch. */

import { Webhook } from 'standardwebhooks'
import type { Clock } from '../../core/clock.ts'
import { InputError } from '../../core/input-error.ts'
import type { Secret } from '../../core/secret.ts'
import { FetchError } from '../../platform/fetch/fetch-error.ts'
import type { GuardedFetch } from '../../platform/guarded-fetch.ts'
import type { Delivery } from './deliveries.ts'

export type SendResult =
  | { readonly kind: 'delivered'; readonly status: number }
  /** It answered, and not with 2xx. */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string }

export interface SendParts {
  readonly fetch: GuardedFetch
  readonly clock: Clock
  readonly timeoutMs: number
}

const largestAnswer = 64 * 1024

export async function sendDelivery(
  { fetch, clock, timeoutMs }: SendParts,
  { url, secret }: { readonly url: string; readonly secret: Secret },
  delivery: Delivery,
  signal: AbortSignal,
): Promise<SendResult> {
  const messageId = `${delivery.hookId}.${delivery.id}`
  const at = new Date(clock.now())
  const signature = new Webhook(secret.reveal()).sign(messageId, at, delivery.body)
  try {
    const { status, ok } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signature,
      },
      body: delivery.body,
      timeoutMs,
      maximumBytes: largestAnswer,
      signal,
    })
    if (ok) return { kind: 'delivered', status }
    return { kind: 'refused', status, detail: `It answered with ${status}` }
  } catch (error) {
    if (error instanceof FetchError || error instanceof InputError) {
      return { kind: 'failed', detail: error.message.slice(0, 500) }
    }
    throw error
  }
}
