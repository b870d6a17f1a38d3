/** Writes from templates: the owner's where some apply, else the built-in ones. */

import { splitSegments } from '../core/segments.ts'
import { builtInTemplates } from './built-in-templates.ts'
import type { Content, ContentRequest, ContentResult } from './content.ts'
import { mayBeGrave } from './grave.ts'
import { judge } from './judge.ts'
import { mayBeEnglish } from './language.ts'
import type { Allowances, Draft } from './limits.ts'
import { wordLiquidError } from './liquid.ts'
import { buildScope, networkOf, turnOf } from './scope.ts'
import type { Scope } from './scope.ts'
import { parseTemplates } from './templates.ts'
import type { Need, Template, TemplateData, Tone } from './templates.ts'

export interface TemplateContentOptions {
  /**
   * The owner's own, checked when they are loaded. Where some fit a request's action, network and
   * tone, the built-in ones are not used for it.
   */
  readonly templates?: readonly TemplateData[]
  /** `plain` if left out. */
  readonly tone?: Tone | ((request: ContentRequest) => Tone)
  /** Domains or addresses that may be linked though the post does not link them. */
  readonly allowedLinks?: readonly string[]
}

/** Throws an InputError where a template cannot be used. */
export function createTemplateContent(options: TemplateContentOptions = {}): Content {
  const { tone = 'plain', allowedLinks = [] } = options
  const own = parseTemplates(options.templates ?? [])
  const allowances: Allowances = { links: allowedLinks }
  return {
    async write(request) {
      const wanted = typeof tone === 'function' ? tone(request) : tone
      const ownOnes = inTurn(own, request, wanted)
      if (ownOnes.length > 0) return tryEach(ownOnes, request, allowances)
      const why = whyNotBuiltIn(request)
      if (why !== null) return { kind: 'nothing', why }
      return tryEach(inTurn(loadBuiltIn(), request, wanted), request, allowances)
    },
  }
}

let builtIn: readonly Template[] | null = null

/** They never change, so they are checked once, when they are first needed. */
function loadBuiltIn(): readonly Template[] {
  builtIn ??= parseTemplates(builtInTemplates)
  return builtIn
}

/** Ready-made words do not suit every post. An owner's own templates are the owner's choice. */
function whyNotBuiltIn({ post }: ContentRequest): string | null {
  if (!mayBeEnglish(post.text)) {
    return 'the built-in texts are English and the post is not; templates of your own can be added'
  }
  return mayBeGrave(post.text)
    ? 'the post may be about something grave, where ready-made words have no place'
    : null
}

/** Those for this very network come first; within a group each post has its own first one. */
function inTurn(
  templates: readonly Template[],
  request: ContentRequest,
  tone: Tone,
): readonly Template[] {
  const network = networkOf(request.platform)
  const fitting = templates.filter(
    (template) => template.action === request.action && (template.tones?.includes(tone) ?? true),
  )
  const special = fitting.filter(({ platforms }) => platforms?.includes(network) ?? false)
  const general = fitting.filter(({ platforms }) => platforms === undefined)
  return [special, general].flatMap((group) => {
    const first = turnOf(request, group.length)
    return group.slice(first).concat(group.slice(0, first))
  })
}

function tryEach(
  templates: readonly Template[],
  request: ContentRequest,
  allowances: Allowances,
): ContentResult {
  const scope = buildScope(request)
  const reasons = new Set<string>()
  for (const template of templates) {
    const written = tryOne(template, scope, request, allowances)
    if (written.kind === 'passed') {
      return { kind: 'text', text: written.text, source: `template:${template.name}` }
    }
    reasons.add(written.why)
  }
  const why = [...reasons].slice(0, 3).join('; ')
  return { kind: 'nothing', why: why === '' ? `no template for a ${request.action}` : why }
}

function tryOne(
  template: Template,
  scope: Scope,
  request: ContentRequest,
  allowances: Allowances,
): ReturnType<typeof judge> {
  const lack = template.needs?.find((need) => !has(scope, need))
  if (lack !== undefined) return { kind: 'refused', why: lacks[lack] }
  let text: string
  try {
    text = template.compiled.render(scope)
  } catch (error) {
    // What one post has another lacks: the third of two sentences, for example.
    return { kind: 'refused', why: `template ${template.name}: ${wordLiquidError(error)}` }
  }
  return judge(toDraft(request, text), request, allowances)
}

/** A thread of one point would be a comment. */
function has({ post }: Scope, need: Need): boolean {
  return need === 'points' ? post.points.length >= 2 : post[need] !== null
}

const lacks: Readonly<Record<Need, string>> = {
  question: 'the post asks nothing that could be asked again',
  quote: 'the post has no sentence that can be quoted',
  points: 'fewer than two statements of the post fit in a thread',
}

function toDraft({ action }: ContentRequest, text: string): Draft {
  switch (action) {
    case 'comment':
      return { kind: 'comment', text }
    case 'edit':
      return { kind: 'edit', addition: text }
    case 'thread':
      return { kind: 'thread', segments: splitSegments(text) }
  }
}
