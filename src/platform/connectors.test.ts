/** Checks what every surface relies on in the networks that are built in. */

import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../testing/platform/virtual-clock.ts'
import { connectors, createConnectorTools } from './connectors.ts'

const random = { fraction: () => 0.5, id: () => 'id' }
const tools = createConnectorTools({ allowHosts: [], clock: new VirtualClock(), random })

test('every network has a name of its own', () => {
  const names = connectors.map(({ name }) => name)
  expect(names).toEqual(['bluesky', 'mastodon', 'nostr', 'x'])
  expect(new Set(connectors.map(({ title }) => title)).size).toBe(names.length)
})

describe.each(connectors)('$title', (connector) => {
  test('makes a platform of its name', () => {
    expect(connector.create(tools).name).toBe(connector.name)
  })

  test('can be signed in to, in ways with names of their own', () => {
    const names = connector.signIns.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(0)
    expect(new Set(names).size).toBe(names.length)
  })

  test('says of each field what it is, and hides those that are secret', () => {
    for (const { fields } of connector.signIns) {
      expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length)
      for (const { label, hint, isSecret, fallback } of fields) {
        expect(label.trim() !== '' && hint.trim() !== '').toBe(true)
        // A secret that is filled in beforehand is none.
        expect(isSecret && fallback !== null && fallback !== '').toBe(false)
      }
    }
  })
})
