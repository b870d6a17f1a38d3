/** Tests which action is taken where the platform lacks the first choice. */

import { describe, expect, it } from 'vitest'
import { decideWith, samplesFor, without } from '../../test/builders/decision.ts'
import { everythingSupported } from './capabilities.ts'
import type { Capabilities } from './capabilities.ts'
import { hourMs } from './duration.ts'
import { chooseAction } from './ladder.ts'
import { standardPolicy } from './policies/standard.ts'
import { never } from './until.ts'

const { ladder } = standardPolicy

const passed = (...actions: readonly string[]) =>
  actions.map((action) => ({ action, why: 'it cannot' }))

describe('chooseAction', () => {
  it.each([
    ['tier_1', everythingSupported, 'comment', []],
    ['tier_2', everythingSupported, 'edit', []],
    ['tier_3', everythingSupported, 'thread', []],
    ['tier_3', without('thread'), 'edit', passed('thread')],
    ['tier_3', without('thread', 'edit'), 'comment', passed('thread', 'edit')],
    ['tier_2', without('edit'), 'comment', passed('edit')],
    ['tier_1', without('comment'), null, passed('comment')],
  ] as const)('for %s', (tier, capabilities, action, passedOver) => {
    expect(chooseAction(tier, ladder, capabilities, hourMs)).toEqual({ action, passedOver })
  })

  const editWithinAnHour: Capabilities = {
    platform: 'x',
    actions: {
      ...everythingSupported.actions,
      edit: { supported: true, writeClass: 'B', withinMs: hourMs },
    },
  }

  it.each([
    [hourMs, 'edit', []],
    [
      hourMs + 1,
      'comment',
      [{ action: 'edit', why: 'the time in which the platform allows it is over' }],
    ],
    [
      null,
      'comment',
      [{ action: 'edit', why: 'nobody knows whether the platform still allows it' }],
    ],
  ] as const)('edits within an hour at an age of %s', (ageMs, action, passedOver) => {
    expect(chooseAction('tier_2', ladder, editWithinAnHour, ageMs)).toEqual({ action, passedOver })
  })
})

describe('the verdict', () => {
  it('plans the next action, under its own key', () => {
    const verdict = decideWith({ capabilities: without('edit') })
    expect(verdict).toMatchObject({
      kind: 'plan',
      action: 'comment',
      tier: 'tier_2',
      trace: { action: { passedOver: passed('edit') } },
    })
  })

  it('holds for ever where the platform has none', () => {
    const samples = samplesFor('tier_1')
    const verdict = decideWith({ samples, capabilities: without('comment') })
    expect(verdict).toMatchObject({
      kind: 'hold',
      reason: 'no_supported_action',
      until: never,
      trace: { key: null, guards: [] },
    })
  })
})
