/** Writes the reference of the HTTP API from its own description, so that it cannot be wrong. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly format?: string
  readonly description?: string
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
  readonly description?: string
}

interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly 'x-scope'?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export function writeApiPage({ paths, components }: OpenApi): string {
  const byTag = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'other'
      byTag.set(tag, [...(byTag.get(tag) ?? []), writeOperation(method, path, operation)])
    }
  }
  const schemas = Object.entries(components.schemas).toSorted(([a], [b]) => a.localeCompare(b))
  return [
    'Made from the description that the server gives at `/openapi.json` and `secondwind openapi` prints. ' +
      'What holds for all routes is on the page [HTTP API](/api/).',
    ...[...byTag].flatMap(([tag, operations]) => [`## ${capital(tag)}`].concat(operations)),
    '## Schemas',
    ...schemas.map(([name, schema]) => writeSchema(name, schema)),
  ].join('\n\n')
}

function writeOperation(method: string, path: string, operation: Operation): string {
  const { summary = '', parameters = [], requestBody, responses } = operation
  const scope = operation['x-scope']
  const body = schemaOf(requestBody)
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return [
    `### \`${method.toUpperCase()} ${path}\``,
    `${summary}.${scope === undefined ? '' : ` Scope: \`${scope}\`.`}`,
    ...(parameters.length === 0
      ? []
      : [
          table(
            ['parameter', 'in', 'what it is'],
            parameters.map((each) => [
              `\`${each.name}\`${each.required === true ? '' : ', optional'}`,
              each.in,
              wordType(each.schema),
            ]),
          ),
        ]),
    ...(body === null ? [] : [`Body: ${wordType(body)}`]),
    ...answers.map(([status, answer]) => {
      const schema = schemaOf(answer)
      const type = schema === null ? '' : `: ${wordType(schema)}`
      return `${status}${type}. ${answer.description ?? ''}`
    }),
  ].join('\n\n')
}

function writeSchema(name: string, schema: Schema): string {
  const { properties, required = [] } = schema
  if (properties === undefined) return `### ${name}\n\n${wordType(schema)}`
  const rows = Object.entries(properties).map(([field, each]) => [
    `\`${field}\`${required.includes(field) ? '' : ', optional'}`,
    wordType(each),
  ])
  return `### ${name}\n\n${table(['field', 'what it is'], rows)}`
}

function schemaOf(content: Content | undefined): Schema | null {
  return Object.values(content?.content ?? {})[0]?.schema ?? null
}

/** A type in few words; a schema with a name is a link to it. */
function wordType(schema: Schema): string {
  const { $ref, items, properties, additionalProperties } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return `[${name}](#${name.toLowerCase()})`
  }
  const several = schema.anyOf ?? schema.oneOf
  if (several !== undefined) return several.map(wordType).join(' or ')
  if (schema.allOf !== undefined) return schema.allOf.map(wordType).join(' and ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((each) => `\`${String(each)}\``).join(', ')
  if (items !== undefined) return `list of ${wordType(items)}`
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, each]) => `\`${name}\`: ${wordType(each)}`,
    )
    return `{ ${fields.join('; ')} }`
  }
  if (typeof additionalProperties === 'object')
    return `names with ${wordType(additionalProperties)}`
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  return `${type}${schema.format === undefined ? '' : ` (${schema.format})`}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
