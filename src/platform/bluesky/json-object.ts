/** Owns reading a record as it is: any JSON object, nothing of which may get lost. */

import { z } from 'zod'
import type { Json } from '../../core/json.ts'

export type JsonObject = Readonly<Record<string, Json>>

export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json())
