/** Owns webhooks: events sent to an address of the owner's, signed as Standard Webhooks say. */

import { z } from '@hono/zod-openapi'
import { id, instant, pageOf, pageQuery, text, webAddress } from './fields.ts'

const types = z.array(text(64).min(1)).max(50)

export const webhookView = z
  .object({
    id: z.string(),
    url: z.string(),
    /** The types it is sent; empty for all. */
    types: z.array(z.string()),
    /** The accounts whose events it is sent; null for all. */
    accountIds: z.array(z.string()).nullable(),
    active: z.boolean(),
    createdAt: instant,
    /** How many deliveries in a row failed. After too many it is switched off. */
    failures: z.number(),
    lastDeliveredAt: instant.nullable(),
  })
  .openapi('Webhook')
export type WebhookView = z.infer<typeof webhookView>

export const webhookList = z.object({ items: z.array(webhookView) }).openapi('WebhookList')

export const newWebhookBody = z
  .strictObject({
    url: webAddress,
    types: types.default([]),
    accountIds: z.array(id).min(1).max(100).nullable().default(null),
  })
  .openapi('NewWebhookBody')
export type NewWebhookBody = z.input<typeof newWebhookBody>

export const webhookChange = z
  .strictObject({
    url: webAddress.optional(),
    types: types.optional(),
    accountIds: z.array(id).min(1).max(100).nullable().optional(),
    active: z.boolean().optional(),
  })
  .openapi('WebhookChange')
export type WebhookChange = z.infer<typeof webhookChange>

export const newWebhookView = webhookView
  .extend({ secret: z.string().openapi({ description: 'Signs deliveries; shown this once' }) })
  .openapi('NewWebhook')
export type NewWebhookView = z.infer<typeof newWebhookView>

export const deliveryView = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    type: z.string(),
    /** The number of the event; null for a test. */
    seq: z.number().nullable(),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.number(),
    createdAt: instant,
    /** When it is tried next; null where it is not. */
    nextAttemptAt: instant.nullable(),
    /** What the address answered; null where it did not. */
    status: z.number().nullable(),
    detail: z.string().nullable(),
  })
  .openapi('Delivery')
export type DeliveryView = z.infer<typeof deliveryView>

export const deliveryPage = pageOf(deliveryView, 'DeliveryPage')
export const deliveryQuery = z.object({ ...pageQuery })
