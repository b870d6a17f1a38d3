/** Tests of the connection to a model, as far as they need neither a network nor the packages. */

import { describe, expect, test } from 'vitest'
import { InputError } from '../core/input-error.ts'
import { Secret } from '../core/secret.ts'
import { connectLanguageModel } from './language-model.ts'
import type { LanguageModelSettings } from './language-model.ts'

const settings: LanguageModelSettings = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'small' }
const request = {
  instructions: 'The rules.',
  prompt: 'The post.',
  schema: { type: 'object' },
  maximumOutputTokens: 99,
} as const

/** Packages that keep what they are called with. */
function fakePackages(result: { text?: string; output?: unknown }) {
  const calls: Record<string, unknown>[] = []
  const providers: Record<string, unknown>[] = []
  const packages: Record<string, unknown> = {
    ai: {
      generateText: async (options: Record<string, unknown>) => {
        calls.push(options)
        return result
      },
      jsonSchema: (schema: unknown) => ({ jsonSchema: schema }),
      Output: { object: (options: unknown) => ({ object: options }) },
    },
    '@ai-sdk/openai-compatible': {
      createOpenAICompatible: (options: Record<string, unknown>) => {
        providers.push(options)
        return (id: string) => ({ id })
      },
    },
  }
  return { calls, providers, load: async (name: string) => packages[name] }
}

describe('connectLanguageModel', () => {
  test('asks once, with the rules, the schema and a signal', async () => {
    const { calls, providers, load } = fakePackages({ output: { text: 'Hi.' } })
    const model = await connectLanguageModel({ ...settings, apiKey: new Secret('key') }, load)
    const { signal } = new AbortController()
    expect(await model.generate(request, signal)).toEqual({ text: 'Hi.' })
    expect(calls).toEqual([
      {
        model: { id: 'small' },
        instructions: 'The rules.',
        prompt: 'The post.',
        maxOutputTokens: 99,
        maxRetries: 0,
        abortSignal: signal,
        output: { object: { schema: { jsonSchema: { type: 'object' } } } },
      },
    ])
    expect(model.name).toBe('small')
    expect(providers).toMatchObject([
      { baseURL: settings.baseUrl, supportsStructuredOutputs: true },
    ])
    expect(JSON.stringify(providers)).not.toContain('key"')
  })

  test('reads JSON from the text where the endpoint takes no schema', async () => {
    const { calls, load } = fakePackages({ text: '{"text":"Hi."}' })
    const model = await connectLanguageModel({ ...settings, takesSchema: false }, load)
    expect(await model.generate(request, new AbortController().signal)).toEqual({ text: 'Hi.' })
    expect(calls[0]).not.toHaveProperty('output')
  })

  test.each(['ai', '@ai-sdk/openai-compatible'])('says how to install %s', async (missing) => {
    const { load } = fakePackages({})
    const loadOthers = async (name: string) => {
      if (name === missing) throw new Error(`Cannot find package '${name}'`)
      return load(name)
    }
    await expect(connectLanguageModel(settings, loadOthers)).rejects.toThrow(
      `The npm package ${missing} could not be loaded. A language model needs it: run ` +
        '"npm install ai @ai-sdk/openai-compatible", or leave the language model out.',
    )
  })

  test('refuses a package that is not the one it knows', async () => {
    for (const strange of [{}, null, { generateText: 1 }]) {
      await expect(connectLanguageModel(settings, async () => strange)).rejects.toThrow(
        'The npm package ai is of a version that is not known here',
      )
    }
  })

  test.each([
    ['no address', { baseUrl: 'somewhere' }, 'languageModel.baseUrl'],
    ['no web address', { baseUrl: 'file:///etc/passwd' }, 'languageModel.baseUrl'],
    [
      'credentials in the address',
      { baseUrl: 'https://me:pw@llm.example/v1' },
      'languageModel.baseUrl',
    ],
    ['no model', { model: '' }, 'languageModel.model'],
    [
      'a key in the clear',
      { baseUrl: 'http://llm.example/v1', apiKey: new Secret('key') },
      'languageModel.baseUrl',
    ],
  ])('refuses %s', async (_name, change, field) => {
    const connecting = connectLanguageModel({ ...settings, ...change }, fakePackages({}).load)
    await expect(connecting).rejects.toThrow(InputError)
    await expect(connecting).rejects.toMatchObject({ field })
  })

  test.each([
    { baseUrl: 'http://localhost:1234/v1', apiKey: new Secret('key') },
    { baseUrl: 'http://[::1]:1234/v1', apiKey: new Secret('key') },
    { baseUrl: 'https://llm.example/v1', apiKey: new Secret('key') },
    { baseUrl: 'http://llm.example/v1' },
  ])('takes $baseUrl', async (change) => {
    const model = await connectLanguageModel({ ...settings, ...change }, fakePackages({}).load)
    expect(model.name).toBe('small')
  })
})
