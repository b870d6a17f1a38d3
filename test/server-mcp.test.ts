/** An assistant lists, explains and decides over MCP, within the scope of its token and no more. */

import { beforeEach, describe, expect, test } from 'vitest'
import { toolNames } from '../src/server/mcp/tools.ts'
import type { Scope } from '../src/server/schema/session.ts'
import { World } from './server/world.ts'

let world: World

beforeEach(async () => {
  world = await World.open()
})

interface Called {
  readonly isError: boolean
  readonly content: readonly { readonly text: string }[]
}

async function rpc<Result>(scope: Scope | null, method: string, params: object): Promise<Result> {
  const token = scope === null ? null : await world.token(scope)
  const response = await world.raw('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === null
        ? { 'sec-fetch-site': 'same-origin' }
        : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  const line = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '')
  const answer = JSON.parse(line) as { readonly result: Result; readonly error?: object }
  if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error))
  return answer.result
}

async function call(scope: Scope, name: string, input: object = {}) {
  const called = await rpc<Called>(scope, 'tools/call', { name, arguments: input })
  const text = called.content[0]?.text ?? ''
  return { isError: called.isError, body: JSON.parse(text) as Record<string, unknown> }
}

describe('over MCP', () => {
  test('every tool is offered, with what it takes', async () => {
    const { tools } = await rpc<{
      readonly tools: readonly { readonly name: string; readonly inputSchema: object }[]
    }>('read', 'tools/list', {})
    expect(tools.map(({ name }) => name)).toEqual(toolNames)
    expect(tools.every(({ inputSchema }) => 'properties' in inputSchema)).toBe(true)
  })

  test('nobody gets in without a token', async () => {
    await expect(rpc(null, 'tools/list', {})).rejects.toThrow(/^401/)
  })

  test('what waits is listed and explained, and approved by the text that was shown', async () => {
    const row = await world.awaiting()
    const listed = await call('read', 'list_actions', { state: 'awaiting_approval' })
    expect(listed.body['items']).toMatchObject([{ id: row.id, textHash: row.textHash }])
    const explained = await call('read', 'explain_post', { postId: row.postId })
    expect(JSON.stringify(explained.body)).toContain('open_action')
    const input = { actionId: row.id, textHash: row.textHash }
    const approved = await call('approve', 'approve_action', input)
    expect(approved).toMatchObject({ isError: false, body: { state: 'approved' } })
    expect((await world.stage.action(row.id)).state).toBe('approved')
  })

  test('a token that may only read decides nothing, and is told so', async () => {
    const row = await world.awaiting()
    const input = { actionId: row.id, textHash: row.textHash }
    for (const [tool, given] of [
      ['approve_action', input],
      ['reject_action', { actionId: row.id }],
      ['pause', {}],
    ] as const) {
      const refused = await call('read', tool, given)
      expect(refused).toMatchObject({ isError: true, body: { status: 403 } })
    }
    expect((await world.stage.action(row.id)).state).toBe('awaiting_approval')
    expect(await world.ledger.listPauses()).toEqual([])
  })

  test('another text than the one that was shown is refused', async () => {
    const row = await world.awaiting()
    const input = { actionId: row.id, textHash: 'of-another-text' }
    const refused = await call('approve', 'approve_action', input)
    expect(refused).toMatchObject({ isError: true, body: { status: 409 } })
  })
})
