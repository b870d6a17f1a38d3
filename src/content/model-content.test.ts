/** Tests of writing with a model that may do anything. */

import { describe, expect, test } from 'vitest'
import { contentRequest, fourDayWeek } from '../../test/builders/content-request.ts'
import type { Clock } from '../core/clock.ts'
import type { Content, ContentRequest } from './content.ts'
import { createModelContent } from './model-content.ts'
import type { LanguageModel, ModelContentOptions, ModelFailure } from './model-content.ts'

/** Time passes when a test says so. */
class HandClock implements Clock {
  #monotonicMs = 0
  readonly sleeping = new Set<{ readonly untilMs: number; readonly wake: () => void }>()

  now() {
    return 0
  }

  monotonicMs() {
    return this.#monotonicMs
  }

  sleep(durationMs: number, signal?: AbortSignal) {
    return new Promise<void>((resolve) => {
      const sleeper = { untilMs: this.#monotonicMs + durationMs, wake: resolve }
      this.sleeping.add(sleeper)
      signal?.addEventListener('abort', () => {
        this.sleeping.delete(sleeper)
        resolve()
      })
    })
  }

  pass(durationMs: number) {
    this.#monotonicMs += durationMs
    for (const sleeper of this.sleeping) {
      if (sleeper.untilMs > this.#monotonicMs) continue
      this.sleeping.delete(sleeper)
      sleeper.wake()
    }
  }
}

const fallback: Content = {
  write: async () => ({ kind: 'text', text: 'From the template.', source: 'template:test' }),
}

function setUp(generate: LanguageModel['generate'], options: Partial<ModelContentOptions> = {}) {
  const clock = new HandClock()
  const failures: ModelFailure[] = []
  const calls: AbortSignal[] = []
  const model: LanguageModel = {
    name: 'small',
    generate: (request, signal) => {
      calls.push(signal)
      return generate(request, signal)
    },
  }
  const onFailure = (failure: ModelFailure) => failures.push(failure)
  const content = createModelContent({ model, fallback, clock, onFailure, ...options })
  return { clock, failures, calls, content }
}

const fromTemplate = (why: string) => ({
  kind: 'text',
  text: 'From the template.',
  source: expect.stringContaining(why) as string,
})

async function answerTo(answer: unknown, request: ContentRequest = contentRequest()) {
  return setUp(async () => answer).content.write(request)
}

describe('what a model says', () => {
  test('is used where it keeps the rules, and says where it comes from', async () => {
    expect(await answerTo({ text: ' What would you keep? ' })).toEqual({
      kind: 'text',
      text: 'What would you keep?',
      source: 'model:small',
    })
  })

  test('is put below the post for an edit, and joined for a thread', async () => {
    const edit = contentRequest({ action: 'edit', limits: { maximumLength: 500 } })
    expect(await answerTo({ text: 'PS: thanks.' }, edit)).toMatchObject({
      text: `${fourDayWeek}\n\nPS: thanks.`,
    })
    const thread = contentRequest({ action: 'thread' })
    expect(await answerTo({ segments: ['First.', 'Second?'] }, thread)).toMatchObject({
      text: 'First.\n---\nSecond?',
    })
  })

  test.each([
    ['is no object', 'What would you keep?', 'another form'],
    ['is null', null, 'another form'],
    ['has the wrong field', { answer: 'Hi.' }, 'another form'],
    ['is no text', { text: ['Hi.'] }, 'another form'],
    ['is empty', { text: '' }, 'it says nothing'],
    ['links elsewhere', { text: 'Read https://evil.example/now' }, 'it links to evil.example/now'],
    ['calls in others', { text: 'Right, @everyone?' }, 'it mentions @everyone'],
    ['is hidden', { text: 'Hello\u202E there' }, 'not shown'],
    ['makes up a number', { text: 'That saved us 37 hours.' }, 'brought in the number 37'],
    ['repeats the post', { text: fourDayWeek }, 'only repeats the post'],
  ])('is not used where it %s', async (_name, answer, why) => {
    expect(await answerTo(answer)).toEqual(fromTemplate(`template:test (small`))
    expect(await answerTo(answer)).toEqual(fromTemplate(why))
  })

  test('is not used where it was said lately', async () => {
    const request = contentRequest({ recentTexts: ['What would YOU keep?!'] })
    expect(await answerTo({ text: 'What would you keep?' }, request)).toEqual(
      fromTemplate('recent text'),
    )
  })

  test('may have the numbers of the post', async () => {
    const request = contentRequest({ text: 'We saved 37 hours in 2024. It was worth all of them.' })
    expect(await answerTo({ text: 'Would 37 hours matter to you?' }, request)).toMatchObject({
      source: 'model:small',
    })
  })
})

describe('a model that does not answer', () => {
  test('is given up when the time is over, and told so', async () => {
    const { clock, calls, content, failures } = setUp(() => new Promise(() => {}), {
      timeoutMs: 5000,
    })
    const writing = content.write(contentRequest())
    clock.pass(4999)
    expect(calls[0]?.aborted).toBe(false)
    clock.pass(1)
    expect(await writing).toEqual(fromTemplate('small gave no answer within 5000 ms'))
    expect(calls[0]?.aborted).toBe(true)
    expect(failures).toEqual([{ why: 'gave no answer within 5000 ms', error: null }])
  })

  test('does no harm when it fails after that', async () => {
    const late = Promise.withResolvers<unknown>()
    const { clock, content } = setUp(() => late.promise)
    const writing = content.write(contentRequest())
    clock.pass(60_000)
    await writing
    late.reject(new Error('too late'))
    await expect(late.promise).rejects.toThrow('too late')
  })

  test('leaves no timer behind when it does answer', async () => {
    const { clock, content } = setUp(async () => ({ text: 'What would you keep?' }))
    await content.write(contentRequest())
    expect(clock.sleeping.size).toBe(0)
  })
})

describe('a model that fails', () => {
  const error = new Error('connection refused to key-123')

  test.each([
    ['by rejecting', () => Promise.reject(error)],
    [
      'by throwing',
      () => {
        throw error
      },
    ],
  ])(
    '%s is replaced; what it threw goes to those who asked for it, not into the source',
    async (_name, generate) => {
      const { content, failures } = setUp(generate)
      expect(await content.write(contentRequest())).toEqual({
        kind: 'text',
        text: 'From the template.',
        source: 'template:test (small failed)',
      })
      expect(failures).toEqual([{ why: 'failed', error }])
    },
  )

  test('is left alone for a while, then asked again', async () => {
    let isDown = true
    const generate = async () => {
      if (isDown) throw error
      return { text: 'What would you keep?' }
    }
    const { clock, calls, content } = setUp(generate, { restMs: 1000 })
    await content.write(contentRequest())
    isDown = false
    clock.pass(999)
    expect(await content.write(contentRequest())).toEqual(fromTemplate('small rests'))
    expect(calls).toHaveLength(1)
    clock.pass(1)
    expect(await content.write(contentRequest())).toMatchObject({ source: 'model:small' })
    expect(calls).toHaveLength(2)
  })

  test('is not left alone for breaking a rule', async () => {
    const { calls, content } = setUp(async () => ({ text: 'See evil.example' }))
    await content.write(contentRequest())
    await content.write(contentRequest())
    expect(calls).toHaveLength(2)
  })

  test('says so where the fallback has nothing to say either', async () => {
    const silent: Content = { write: async () => ({ kind: 'nothing', why: 'no template' }) }
    const { content } = setUp(() => Promise.reject(error), { fallback: silent })
    expect(await content.write(contentRequest())).toEqual({
      kind: 'nothing',
      why: 'no template (small failed)',
    })
  })
})

test('a post that may be grave is not shown to a model', async () => {
  const { calls, content } = setUp(async () => ({ text: 'What would you keep?' }))
  const request = contentRequest({ text: 'My grandmother died this morning.' })
  expect(await content.write(request)).toEqual(fromTemplate('template:test'))
  expect(calls).toHaveLength(0)
})

test('the tone may hang on the request', async () => {
  const asked: string[] = []
  const { content } = setUp(
    async ({ instructions }) => {
      asked.push(instructions)
      return { text: 'What would you keep?' }
    },
    { tone: ({ handle }) => (handle === 'shy' ? 'curious' : 'warm') },
  )
  await content.write(contentRequest({ handle: 'shy' }))
  expect(asked[0]).toContain('curious')
})
