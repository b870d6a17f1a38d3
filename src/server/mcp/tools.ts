/**
 * Owns what an assistant can do: list, explain, and decide within the scope of its token. Every
 * tool is one call of the HTTP API, so nothing is allowed here that is not allowed there.
 */

import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** Answers a request to the API as whoever the assistant works for. */
export type AskApi = (request: Request) => Promise<Response>

interface Tool<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly changes: boolean
  readonly call: (input: z.infer<Input>) => {
    readonly method?: 'POST'
    readonly path: string
    readonly query?: Readonly<Record<string, string | undefined>>
    readonly body?: unknown
  }
}

function tool<Input extends z.ZodObject>(given: Tool<Input>): Tool<Input> {
  return given
}

const id = z.string().min(1).max(256)
const limit = z.int().min(1).max(50).default(20).describe('How many, newest first')
const page = {
  limit,
  cursor: z.string().max(1024).optional().describe('`next` of the page before'),
}
const at = (start: string, part: string, end = '') => `${start}${encodeURIComponent(part)}${end}`

const readingTools = [
  tool({
    name: 'overview',
    title: 'Overview',
    description: 'Does anything need a person? Counts of posts and open actions, pauses, time.',
    input: z.object({}),
    changes: false,
    call: () => ({ path: '/overview' }),
  }),
  tool({
    name: 'list_accounts',
    title: 'Accounts',
    description: 'The accounts that are looked after: mode, policy, state.',
    input: z.object({}),
    changes: false,
    call: () => ({ path: '/accounts' }),
  }),
  tool({
    name: 'list_posts',
    title: 'Posts',
    description: 'Posts with their latest verdict, counters and open action.',
    input: z.object({
      ...page,
      accountId: id.optional(),
      status: z.enum(['watched', 'closed', 'gone']).optional(),
      verdict: z.enum(['plan', 'hold', 'healthy', 'insufficient']).optional(),
      text: z.string().min(1).max(200).optional().describe('Part of the text'),
    }),
    changes: false,
    call: ({ limit: count, ...rest }) => ({
      path: '/posts',
      query: { ...rest, limit: `${count}` },
    }),
  }),
  tool({
    name: 'explain_post',
    title: 'Why this state',
    description:
      'What is decided about a post now, guard by guard, with every number. Stores nothing.',
    input: z.object({ postId: id }),
    changes: false,
    call: ({ postId }) => ({ method: 'POST', path: at('/posts/', postId, '/evaluate'), body: {} }),
  }),
  tool({
    name: 'list_actions',
    title: 'Actions',
    description: 'Actions with their text, reason and state. Those that wait: awaiting_approval.',
    input: z.object({ ...page, accountId: id.optional(), state: z.string().max(64).optional() }),
    changes: false,
    call: ({ limit: count, ...rest }) => ({
      path: '/actions',
      query: { ...rest, limit: `${count}` },
    }),
  }),
  tool({
    name: 'show_action',
    title: 'What happened',
    description: 'The whole story of one action: plan, guards, approval, sends, measurements.',
    input: z.object({ actionId: id }),
    changes: false,
    call: ({ actionId }) => ({ path: at('/actions/', actionId) }),
  }),
  tool({
    name: 'lift',
    title: 'Does it help?',
    description: 'The measured effect against posts left alone at random, with its interval.',
    input: z.object({
      horizon: z.enum(['2h', '24h', '7d']).default('24h'),
      accountId: id.optional(),
    }),
    changes: false,
    call: (query) => ({ path: '/lift', query }),
  }),
]

const decidingTools = [
  tool({
    name: 'approve_action',
    title: 'Approve',
    description:
      'Lets an action go out. Needs the textHash of the text that the person was shown; ask them ' +
      'first. Another text may be given, and is then sent instead.',
    input: z.object({
      actionId: id,
      textHash: z.string().min(1).max(128),
      text: z.string().min(1).max(100_000).optional(),
    }),
    changes: true,
    call: ({ actionId, ...body }) => ({
      method: 'POST',
      path: at('/actions/', actionId, '/approve'),
      body,
    }),
  }),
  tool({
    name: 'reject_action',
    title: 'Reject',
    description: 'The action is not sent, and not proposed again for a day.',
    input: z.object({ actionId: id, reason: z.string().max(1000).default('') }),
    changes: true,
    call: ({ actionId, reason }) => ({
      method: 'POST',
      path: at('/actions/', actionId, '/reject'),
      body: { reason },
    }),
  }),
  tool({
    name: 'pause',
    title: 'Pause',
    description: 'Nothing new is sent once this is answered. Without a target: everything.',
    input: z.object({
      scope: z.enum(['everything', 'platform', 'account']).default('everything'),
      target: z.string().max(512).default(''),
      reason: z.string().max(1000).default('paused by an assistant'),
    }),
    changes: true,
    call: (body) => ({ method: 'POST', path: '/pauses', body }),
  }),
]

const tools: readonly Tool<z.ZodObject>[] = [
  ...readingTools,
  ...decidingTools,
] as readonly Tool<z.ZodObject>[]

export const toolNames = tools.map(({ name }) => name)

export function createMcpServer(ask: AskApi, version: string): McpServer {
  const server = new McpServer({ name: 'secondwind', version }, { capabilities: { tools: {} } })
  for (const { name, title, description, input, changes, call } of tools) {
    const annotations = { readOnlyHint: !changes, destructiveHint: false, openWorldHint: false }
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations },
      async (given) => answer(await ask(requestOf(call(given)))),
    )
  }
  return server
}

function requestOf({ method, path, query = {}, body }: ReturnType<Tool<z.ZodObject>['call']>) {
  const url = new URL(`http://localhost/api/v1${path}`)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  if (method === undefined) return new Request(url)
  const headers = { 'content-type': 'application/json' }
  return new Request(url, { method, headers, body: JSON.stringify(body) })
}

/** A problem is an answer too: the assistant reads what to do about it. */
async function answer(response: Response) {
  const text = await response.text()
  return {
    content: [{ type: 'text' as const, text: text === '' ? 'done' : text }],
    isError: !response.ok,
  }
}
