/** Reads from the API's own description what can be asked of it, as a list of operations. */

import { z } from 'zod'
import type { World } from './world.ts'

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  schema: z.record(z.string(), z.unknown()),
})

const operation = z.looseObject({
  summary: z.string(),
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  security: z.array(z.unknown()),
  'x-scope': z.enum(['read', 'approve', 'write', 'admin']).optional(),
  requestBody: z
    .object({
      content: z.object({
        'application/json': z.object({ schema: z.record(z.string(), z.unknown()) }),
      }),
    })
    .optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.unknown().optional() })),
})

const document = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
})

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Operation {
  readonly name: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly scope: 'read' | 'approve' | 'write' | 'admin' | null
  readonly parameters: readonly z.infer<typeof parameter>[]
  readonly body: JsonSchema | null
  /** For each documented status, the schema of its JSON answer or null. */
  readonly answers: ReadonlyMap<number, JsonSchema | null>
}

export interface Description {
  readonly operations: readonly Operation[]
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

export function readDescription({ server }: World): Description {
  const parsed = document.parse(JSON.parse(JSON.stringify(server.describe())))
  const operations = Object.entries(parsed.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({
      name: entry.operationId,
      method: method.toUpperCase(),
      path,
      scope: entry['x-scope'] ?? null,
      parameters: entry.parameters,
      body: entry.requestBody?.content['application/json'].schema ?? null,
      answers: new Map(
        Object.entries(entry.responses).map(([status, { content }]) => [
          Number(status),
          schemaOf(content),
        ]),
      ),
    })),
  )
  return { operations, schemas: parsed.components.schemas }
}

const jsonContent = z.looseObject({
  'application/json': z.object({ schema: z.record(z.string(), z.unknown()) }).optional(),
  'application/problem+json': z.object({ schema: z.record(z.string(), z.unknown()) }).optional(),
})

function schemaOf(content: unknown): JsonSchema | null {
  const parsed = jsonContent.safeParse(content)
  if (!parsed.success) return null
  const { data } = parsed
  return data['application/json']?.schema ?? data['application/problem+json']?.schema ?? null
}

/** Puts values into the braces of a path. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'x'))
}
