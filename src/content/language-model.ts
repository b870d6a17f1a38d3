/**
 * Connects to a language model behind an OpenAI-compatible endpoint, on this machine or elsewhere.
 * The packages for it are optional: only who uses a model installs them.
 */

import { z } from 'zod'
import { InputError, parseWith } from '../core/input-error.ts'
import type { Secret } from '../core/secret.ts'
import type { LanguageModel } from './model-content.ts'
import type { ModelRequest } from './prompt.ts'

export interface LanguageModelSettings {
  /** For example `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string
  /** As the endpoint names it. */
  readonly model: string
  readonly apiKey?: Secret
  /** Whether the endpoint takes a JSON schema for its answer; most do. True if left out. */
  readonly takesSchema?: boolean
}

/** How packages are loaded; tests hand in their own. */
export type LoadPackage = (name: string) => Promise<unknown>

const packages = ['ai', '@ai-sdk/openai-compatible'] as const
/** More than any answer needs. A server that sends more is cut off. */
const largestAnswerBytes = 1_000_000

/** Loads the packages at once, so that a missing one is noticed when the program starts. */
export async function connectLanguageModel(
  settings: LanguageModelSettings,
  load: LoadPackage = async (name) => (await import(name)) as unknown,
): Promise<LanguageModel> {
  const { baseUrl, apiKey, model: modelId, takesSchema = true } = settings
  requireEndpoint(settings)
  const ai = await loadPackage(load, packages[0], aiPackage)
  const { createOpenAICompatible } = await loadPackage(load, packages[1], providerPackage)
  const provider = createOpenAICompatible({
    name: 'secondwind',
    baseURL: baseUrl,
    supportsStructuredOutputs: takesSchema,
    fetch: boundedFetch,
    ...(apiKey === undefined ? {} : { apiKey: () => apiKey.reveal() }),
  })
  const model = provider(modelId)
  return {
    name: modelId,
    async generate(request, signal) {
      const call = callOptions(model, request, signal)
      if (takesSchema) {
        const output = ai.Output.object({ schema: ai.jsonSchema(request.schema) })
        return (await ai.generateText({ ...call, output })).output
      }
      return JSON.parse((await ai.generateText(call)).text) as unknown
    },
  }
}

/** One request and no retry: the fallback is there at once, a second answer may not be. */
function callOptions(model: unknown, request: ModelRequest, signal: AbortSignal): CallOptions {
  return {
    model,
    instructions: request.instructions,
    prompt: request.prompt,
    maxOutputTokens: request.maximumOutputTokens,
    maxRetries: 0,
    abortSignal: signal,
  }
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

function requireEndpoint({ baseUrl, model, apiKey }: LanguageModelSettings): void {
  parseWith(z.string().min(1, 'must name a model'), model, 'languageModel.model')
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new InputError('languageModel.baseUrl', 'must be an address that begins with http(s)://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError('languageModel.baseUrl', 'must hold no credentials; use apiKey')
  }
  if (apiKey !== undefined && url.protocol === 'http:' && !loopback.has(url.hostname)) {
    const problem = 'must begin with https:// where an API key is sent to another machine'
    throw new InputError('languageModel.baseUrl', problem)
  }
}

async function loadPackage<Shape>(
  load: LoadPackage,
  name: (typeof packages)[number],
  shape: z.ZodType<Shape>,
): Promise<Shape> {
  let loaded: unknown
  try {
    loaded = await load(name)
  } catch (cause) {
    const message =
      `The npm package ${name} could not be loaded. A language model needs it: run ` +
      `"npm install ${packages.join(' ')}", or leave the language model out.`
    throw new Error(message, { cause })
  }
  const read = shape.safeParse(loaded)
  if (read.success) return read.data
  throw new Error(`The npm package ${name} is of a version that is not known here`)
}

/** Follows no redirect, which would send the key elsewhere, and reads so much and no more. */
async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'error' })
  if (response.body === null) return response
  let bytes = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes <= largestAnswerBytes) controller.enqueue(chunk)
        else controller.error(new Error(`The answer has more than ${largestAnswerBytes} bytes`))
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(counted, { status, statusText, headers })
}

/** The little that is used of the packages. Stated here, so that they need not be installed. */
interface CallOptions {
  readonly model: unknown
  readonly instructions: string
  readonly prompt: string
  readonly maxOutputTokens: number
  readonly maxRetries: number
  readonly abortSignal: AbortSignal
}

interface AiPackage {
  readonly generateText: (
    options: CallOptions & { readonly output?: unknown },
  ) => Promise<{ readonly text: string; readonly output: unknown }>
  readonly jsonSchema: (schema: unknown) => unknown
  readonly Output: { readonly object: (options: { readonly schema: unknown }) => unknown }
}

interface ProviderPackage {
  readonly createOpenAICompatible: (options: {
    readonly name: string
    readonly baseURL: string
    readonly supportsStructuredOutputs: boolean
    readonly fetch: typeof boundedFetch
    readonly apiKey?: () => string
  }) => (modelId: string) => unknown
}

const isFunction = (value: unknown) => typeof value === 'function'

const aiPackage = z.custom<AiPackage>((value) => {
  const { generateText, jsonSchema, Output } = Object(value) as Partial<AiPackage>
  return isFunction(generateText) && isFunction(jsonSchema) && isFunction(Output?.object)
})
const providerPackage = z.custom<ProviderPackage>((value) =>
  isFunction((Object(value) as Partial<ProviderPackage>).createOpenAICompatible),
)
