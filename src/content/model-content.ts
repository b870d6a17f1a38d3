/**
 * Writes with a language model. A model never decides and never holds a decision up: it is given so
 * much time, its words are held against the same rules as any others, and whatever goes wrong, the
 * fallback writes instead.
 */

import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { minuteMs, secondMs } from '../core/duration.ts'
import type { Content, ContentRequest, ContentResult } from './content.ts'
import { mayBeGrave } from './grave.ts'
import { judge } from './judge.ts'
import type { Draft } from './limits.ts'
import { writePrompt } from './prompt.ts'
import type { ModelRequest } from './prompt.ts'
import type { Tone } from './templates.ts'

/** Something that answers a request with a value of the request's schema, or so it says. */
export interface LanguageModel {
  /** For people: which model it was. */
  readonly name: string
  generate(request: ModelRequest, signal: AbortSignal): Promise<unknown>
}

export interface ModelContentOptions {
  readonly model: LanguageModel
  /** Writes whenever the model does not. */
  readonly fallback: Content
  readonly clock: Clock
  readonly timeoutMs?: number
  /** How long a model that failed or was too slow is left alone. */
  readonly restMs?: number
  readonly tone?: Tone | ((request: ContentRequest) => Tone)
  readonly allowedLinks?: readonly string[]
  /** Told why the model's words were not used. */
  readonly onFailure?: (failure: ModelFailure) => void
}

export interface ModelFailure {
  readonly why: string
  /** What was thrown, if something was. It may hold what the model's server said. */
  readonly error: unknown
}

type Attempt =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'failed'; readonly why: string; readonly error: unknown; rests: boolean }

const defaultTimeoutMs = 15 * secondMs
const defaultRestMs = minuteMs

export function createModelContent(options: ModelContentOptions): Content {
  const { model, fallback, clock, restMs = defaultRestMs } = options
  let restsUntilMs = Number.NEGATIVE_INFINITY
  return {
    async write(request) {
      if (mayBeGrave(request.post.text)) return fallback.write(request)
      // A dead server would otherwise hold up every post in turn.
      if (clock.monotonicMs() < restsUntilMs) {
        return fallBack(fallback, request, `${model.name} rests after a failure`)
      }
      const attempt = await tryModel(options, request)
      if (attempt.kind === 'text') {
        return { kind: 'text', text: attempt.text, source: `model:${model.name}` }
      }
      const { why, error, rests } = attempt
      if (rests) restsUntilMs = clock.monotonicMs() + restMs
      options.onFailure?.({ why, error })
      return fallBack(fallback, request, `${model.name} ${why}`)
    },
  }
}

async function fallBack(
  fallback: Content,
  request: ContentRequest,
  why: string,
): Promise<ContentResult> {
  const result = await fallback.write(request)
  return result.kind === 'text'
    ? { ...result, source: `${result.source} (${why})` }
    : { kind: 'nothing', why: `${result.why} (${why})` }
}

async function tryModel(options: ModelContentOptions, request: ContentRequest): Promise<Attempt> {
  const { tone = 'plain', allowedLinks = [] } = options
  const prompt = writePrompt(request, typeof tone === 'function' ? tone(request) : tone)
  const answer = await ask(options, prompt)
  if (answer.kind === 'failed') return answer
  const draft = readDraft(request, answer.value)
  if (draft === null) return failed('answered in another form than it was asked for')
  const invented = findInventedNumber(draft, request.post.text)
  if (invented !== null) return failed(`brought in the number ${invented}`)
  const judged = judge(draft, request, { links: allowedLinks })
  return judged.kind === 'passed'
    ? { kind: 'text', text: judged.text }
    : failed(`was not used because ${judged.why}`)
}

/** What a model may do wrong while its server is well. */
function failed(why: string): Attempt {
  return { kind: 'failed', why, error: null, rests: false }
}

/** Waits for the answer or for the time to be up, whichever is first. */
async function ask(
  { model, clock, timeoutMs = defaultTimeoutMs }: ModelContentOptions,
  prompt: ModelRequest,
): Promise<{ readonly kind: 'answer'; readonly value: unknown } | (Attempt & { kind: 'failed' })> {
  const over = new AbortController()
  const answered = new AbortController()
  const call = async () => ({
    kind: 'answer' as const,
    value: await model.generate(prompt, over.signal),
  })
  const timer = clock.sleep(timeoutMs, answered.signal).then(() => {
    const why = `gave no answer within ${timeoutMs} ms`
    return { kind: 'failed' as const, why, error: null, rests: true }
  })
  try {
    return await Promise.race([call(), timer])
  } catch (error) {
    return { kind: 'failed', why: 'failed', error, rests: true }
  } finally {
    answered.abort()
    over.abort()
  }
}

const textAnswer = z.object({ text: z.string().max(100_000) })
const segmentsAnswer = z.object({ segments: z.array(z.string().max(100_000)).max(1000) })

function readDraft({ action }: ContentRequest, answer: unknown): Draft | null {
  if (action === 'thread') {
    const read = segmentsAnswer.safeParse(answer)
    return read.success ? { kind: 'thread', segments: read.data.segments } : null
  }
  const read = textAnswer.safeParse(answer)
  if (!read.success) return null
  const { text } = read.data
  return action === 'edit' ? { kind: 'edit', addition: text } : { kind: 'comment', text }
}

/** Of the facts that a model makes up, numbers are those that can be told. */
function findInventedNumber(draft: Draft, postText: string): string | null {
  const known = new Set(numbersIn(postText))
  return numbersIn(wordsOf(draft)).find((number) => !known.has(number)) ?? null
}

function numbersIn(text: string): readonly string[] {
  return text.normalize('NFKC').match(/\p{Nd}{1,30}/gu) ?? []
}

function wordsOf(draft: Draft): string {
  switch (draft.kind) {
    case 'comment':
      return draft.text
    case 'edit':
      return draft.addition
    case 'thread':
      return draft.segments.join('\n')
  }
}
