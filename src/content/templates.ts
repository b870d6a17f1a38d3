/** Owns the form of a template and the check of those that an owner hands in. */

import { z } from 'zod'
import { actions } from '../core/action.ts'
import { InputError, parseWith } from '../core/input-error.ts'
import { compileTemplate, longestTemplate, wordLiquidError } from './liquid.ts'
import type { CompiledTemplate } from './liquid.ts'
import type { Scope } from './scope.ts'

export const tones = ['plain', 'warm', 'curious'] as const
export type Tone = (typeof tones)[number]

/** What a post must have for a template to make sense. */
const needs = ['question', 'quote', 'points'] as const
export type Need = (typeof needs)[number]

const mostTemplates = 1000

const templateSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be lower case words joined by hyphens'),
  action: z.enum(actions),
  /** The tones it suits; all, if left out. */
  tones: z.array(z.enum(tones)).min(1).optional(),
  /** The networks it is for, and preferred on; all, if left out. */
  platforms: z.array(z.string().min(1).max(64)).min(1).optional(),
  needs: z.array(z.enum(needs)).optional(),
  /**
   * Liquid. For a comment its text; for an edit what is put below the post; for a thread its posts
   * with a line of three hyphens between them.
   */
  text: z
    .string()
    .min(1, 'must not be empty')
    .max(longestTemplate, `must have at most ${longestTemplate} characters`),
})

export type TemplateData = z.infer<typeof templateSchema>

export interface Template extends Readonly<TemplateData> {
  readonly compiled: CompiledTemplate
}

/** The error names the template and, where its text is at fault, the line and the variable. */
export function parseTemplates(value: unknown): readonly Template[] {
  const list = parseWith(z.array(z.unknown()).max(mostTemplates), value, 'templates')
  const names = new Set<string>()
  return list.map((entry, index) => {
    const data = parseWith(templateSchema, entry, fieldOf(entry, index))
    const field = `templates.${data.name}`
    if (names.has(data.name)) throw new InputError(field, 'another template has this name')
    names.add(data.name)
    return compile(data, `${field}.text`)
  })
}

function fieldOf(entry: unknown, index: number): string {
  const named = z.object({ name: z.string().min(1).max(64) }).safeParse(entry)
  return named.success ? `templates.${named.data.name}` : `templates[${index}]`
}

function compile(data: TemplateData, field: string): Template {
  const compiled = compileTemplate(data.text, field)
  try {
    compiled.render(ordinaryPost)
  } catch (error) {
    throw new InputError(field, wordLiquidError(error))
  }
  return { ...data, compiled }
}

const sentences = [
  'The first sentence says what the post is about.',
  'The second one gives a reason.',
  'The third one gives an example.',
  'Has anyone seen the same?',
]

/** Rendered once when a template is loaded, so that what can never work is found then. */
const ordinaryPost: Scope = {
  post: {
    text: sentences.join(' '),
    firstLine: sentences.join(' '),
    sentences,
    question: sentences[3] ?? null,
    quote: sentences[1] ?? null,
    points: sentences.slice(1, 3),
    url: 'https://social.example/posts/1',
    ageHours: 5,
  },
  numbers: { impressions: 1000, engagements: 10, score: 0.5 },
  account: { handle: 'someone' },
  platform: { name: 'mastodon', replies: 'replies' },
  tier: 'tier_1',
}
