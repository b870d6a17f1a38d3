/** Owns the parts of paths. */

import { z } from '@hono/zod-openapi'
import { exportKinds } from './event.ts'
import { id } from './fields.ts'

export const idParam = z.object({ id: id.openapi({ param: { name: 'id', in: 'path' } }) })

export const accountParam = z.object({
  accountId: id.openapi({ param: { name: 'accountId', in: 'path' } }),
})

export const deliveryParam = idParam.extend({
  deliveryId: id.openapi({ param: { name: 'deliveryId', in: 'path' } }),
})

export const exportParam = z.object({
  kind: z.enum(exportKinds).openapi({ param: { name: 'kind', in: 'path' } }),
})
