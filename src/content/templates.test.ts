/** Tests of what is refused when templates are loaded, and how it is said. */

import { describe, expect, test } from 'vitest'
import { InputError } from '../core/input-error.ts'
import { contentRequest } from '../../test/builders/content-request.ts'
import { builtInTemplates } from './built-in-templates.ts'
import { buildScope } from './scope.ts'
import { parseTemplates } from './templates.ts'

const own = (text: string) => [{ name: 'my-own', action: 'comment', text }]
const load = (text: string) => () => parseTemplates(own(text))

describe('a template that is refused', () => {
  test.each([
    [
      'an unknown variable',
      'One\n{{ post.titel }}',
      'line 2: unknown variable post.titel; known are post.text',
    ],
    ['an unknown root', '{{ user.name }}', 'line 1: unknown variable user.name'],
    [
      'an unknown variable in a condition',
      '{% if numbers.likes > 3 %}x{% endif %}',
      'numbers.likes',
    ],
    [
      'an unknown variable in a branch',
      '{% if tier == "x" %}\n{{ post.nope }}{% endif %}',
      'line 2',
    ],
    ['an unknown variable as an argument', '{{ tier | append: nope }}', 'unknown variable nope'],
    ['a group instead of a value', '{{ post }}', 'unknown variable post;'],
    ['a part of a value', '{{ post.text.constructor }}', 'post.text.constructor'],
    ['a prototype', '{{ post.__proto__ }}', '__proto__'],
    ['a computed name', '{% assign k = "text" %}{{ post[k] }}', 'unknown variable post.[…]'],
    [
      'a part of what a loop goes through',
      '{% for p in post.points %}\n{{ p.x }}{% endfor %}',
      'line 2: undefined variable: p.x',
    ],
    ['an open output', 'One\nTwo {{ post.text', 'line 2: output "{{ post.text" not closed'],
    ['an open tag', '{% if tier %}x', 'line 1: tag {% if tier %} not closed'],
    ['an unknown tag', '\n\n{% foo %}', 'line 3: tag "foo" not found'],
    ['an unknown filter', '{{ post.text | shout }}', 'line 1: undefined filter: shout'],
    ['a file', '{% include "secret" %}', 'tag "include" not found'],
    ['another file', '{% render "secret" %}', 'tag "render" not found'],
    ['a layout', '{% layout "secret" %}', 'tag "layout" not found'],
    ['the time', '{{ "now" | date: "%s" }}', 'undefined filter: date'],
    ['chance', '{{ post.sentences | sample }}', 'undefined filter: sample'],
    ['an endless loop', '{% for i in (1..99999999) %}x{% endfor %}', 'memory alloc limit exceeded'],
    [
      'too much in memory',
      '{% assign a = post.sentences %}' +
        '{% for i in (1..40) %}{% assign a = a | concat: a %}{% endfor %}',
      'memory alloc limit exceeded',
    ],
    ['nothing', '', 'must not be empty'],
    ['too much', 'x'.repeat(4001), 'must have at most 4000 characters'],
  ])('for %s', (_name, text, problem) => {
    expect(load(text)).toThrow(InputError)
    expect(load(text)).toThrow(/^templates\.my-own\.text: /)
    expect(load(text)).toThrow(problem)
  })

  test.each([
    ['a list', 'templates', { name: 'x' }],
    ['an action', 'templates.my-own.action', [{ name: 'my-own', action: 'shout', text: 'x' }]],
    ['a tone', 'templates.my-own.tones[0]', [{ ...own('x')[0], tones: ['angry'] }]],
    ['a need', 'templates.my-own.needs[0]', [{ ...own('x')[0], needs: ['luck'] }]],
    ['a name', 'templates[0].name', [{ action: 'comment', text: 'x' }]],
    ['a proper name', 'templates.My Own.name', [{ ...own('x')[0], name: 'My Own' }]],
    ['no other fields', 'templates.my-own.txt', [{ ...own('x')[0], txt: 'y' }]],
    ['a name of its own', 'templates.my-own', [...own('x'), ...own('y')]],
  ])('where %s is expected', (_name, field, value) => {
    expect(() => parseTemplates(value)).toThrow(expect.objectContaining({ field }) as Error)
  })
})

describe('a template', () => {
  const render = (text: string, post?: string) => {
    const [template] = parseTemplates(own(text))
    return template?.compiled.render(
      buildScope(contentRequest(post === undefined ? {} : { text: post })),
    )
  }

  test.each([
    ['{{ post.firstLine | truncatewords: 3 }}', 'Last year we...'],
    ['{{ post.sentences[1] }}', 'The first month was chaos and we nearly gave up.'],
    ['{{ post.sentences.size }} {{ post.sentences.last }}', '5 Would you try it with your team?'],
    ['{% for s in post.sentences limit: 2 %}{{ forloop.index }}{% endfor %}', '12'],
    [
      '{{ post.ageHours }} h, {{ numbers.engagements }}, {{ account.handle }}',
      '3 h, 2, someone.example',
    ],
    ['{% if numbers.impressions %}seen{% else %}unseen{% endif %}', 'unseen'],
    ['{{ platform.name }} {{ platform.replies }} {{ tier }}', 'bluesky replies tier_1'],
    ['{% assign n = 1 %}{{ post.sentences[n] | size }}', '48'],
    ['{{ post.url | default: "none" }}', 'none'],
    ['{% capture x %}a{% endcapture %}{{ x | upcase }}', 'A'],
  ])('%s', (text, expected) => {
    expect(render(text)).toBe(expected)
  })

  test('never runs what a post holds', () => {
    const post = '{{ 7 | times: 6 }} {% include "x" %} {{ post.nope }} <b>&amp;</b>'
    expect(render('{{ post.text }}', post)).toBe(post)
  })

  test('fails where a post lacks what it asks for', () => {
    expect(() => render('{{ post.sentences[2] }}', 'One sentence.')).toThrow(
      'undefined variable: post.sentences.2',
    )
  })
})

describe('the built-in templates', () => {
  test('can all be loaded, each with a name of its own', () => {
    expect(parseTemplates(builtInTemplates)).toHaveLength(builtInTemplates.length)
  })

  test('have several variants for every action and tone', () => {
    for (const action of ['comment', 'edit', 'thread'] as const) {
      for (const tone of ['plain', 'warm', 'curious'] as const) {
        const variants = builtInTemplates.filter(
          (template) => template.action === action && template.tones?.includes(tone),
        )
        expect(new Set(variants.map(({ text }) => text)).size).toBeGreaterThanOrEqual(4)
      }
    }
  })

  test('beg, press and shout at nobody', () => {
    const begging = /\b(?:like|share|follow|subscribe|repost|retweet|boost|tag|viral)\b/i
    const pressing = /\b(?:hurry|now|today|miss|last chance|must|everyone|only|never|best)\b/i
    const shouting = /[!#@]|[A-Z]{3}|https?:/
    for (const { text } of builtInTemplates) {
      const words = text.replaceAll(/\{[{%].*?[%}]\}/g, '')
      for (const fault of [begging, pressing, shouting]) expect(words).not.toMatch(fault)
    }
  })
})
