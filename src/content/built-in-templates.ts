/**
 * Owns the texts that come with the program. They are what a decent person could say under a post
 * of their own: short, true of any post they are used for, without urgency, bait or hashtags. They
 * claim nothing about the author, the readers or the world.
 */

import type { Action } from '../core/action.ts'
import type { Need, TemplateData, Tone } from './templates.ts'

type Entry = readonly [text: string, ...needs: Need[]]

const comments: Readonly<Record<Tone, readonly Entry[]>> = {
  plain: [
    ['To pick out one line: “{{ post.quote }}” What would you add?', 'quote'],
    ['“{{ post.quote }}” If you see this differently, say how.', 'quote'],
    ['The question once more, on its own: {{ post.question }}', 'question'],
    ['A line to start from, if you want to answer: “{{ post.quote }}”', 'quote'],
    ['Questions about this are welcome here.'],
    ['Does this match what you know? “{{ post.quote }}”', 'quote'],
    ['Corrections and additions are welcome.', 'quote'],
    ['Short answers are fine too: {{ post.question }}', 'question'],
    ['If a part of this is unclear, please ask.', 'quote'],
  ],
  warm: [
    ['Thank you for reading. What do you make of this part? “{{ post.quote }}”', 'quote'],
    ['Your answer is welcome, however short: {{ post.question }}', 'question'],
    ['Kind disagreement is welcome too: “{{ post.quote }}”', 'quote'],
    ['Thank you for stopping by. Thoughts are welcome, short ones too.'],
    ['“{{ post.quote }}” How is that for you?', 'quote'],
    ['If a part of this is useful to you, tell me which. If none is, tell me that.', 'quote'],
    ['Simple questions are welcome as well.'],
    ['In case you have a thought on this one: {{ post.question }}', 'question'],
    ['Thank you for taking the time. “{{ post.quote }}” – what would you say to that?', 'quote'],
  ],
  curious: [
    ['“{{ post.quote }}” Has anyone seen the opposite?', 'quote'],
    ['What is missing here? “{{ post.quote }}”', 'quote'],
    ['What would you say? {{ post.question }}', 'question'],
    ['What would you ask about this?'],
    ['How would you put this in your own words? “{{ post.quote }}”', 'quote'],
    ['Where does this not hold? “{{ post.quote }}”', 'quote'],
    ['Which part of this should I say more about?', 'quote'],
    ['Any other way to look at it? {{ post.question }}', 'question'],
    ['What did I leave out?', 'quote'],
  ],
}

const edits: Readonly<Record<Tone, readonly Entry[]>> = {
  plain: [
    ['Edit: questions and corrections are welcome in the {{ platform.replies }}.'],
    ['(Edited to add: if something is unclear, please ask.)'],
    ['PS: additions are welcome in the {{ platform.replies }}.'],
    ['Edit: if you see it differently, say so in the {{ platform.replies }}.', 'quote'],
    ['PS: short answers are fine too.', 'question'],
  ],
  warm: [
    ['PS: thank you for reading. Questions are welcome.'],
    ['Edit: thoughts are welcome in the {{ platform.replies }}, short ones too.'],
    ['PS: simple questions are welcome as well.'],
    ['Edit: kind disagreement is welcome in the {{ platform.replies }}.', 'quote'],
    ['PS: every answer is welcome, however short.', 'question'],
  ],
  curious: [
    ['PS: what would you ask about this?'],
    ['Edit: what would you add?', 'quote'],
    ['PS: which part should I say more about?', 'quote'],
    ['Edit: has anyone seen the opposite?', 'quote'],
    ['PS: what is missing here?', 'quote'],
  ],
}

/** On Mastodon an edit is announced to those who boosted it, so it says what was changed. */
const mastodonEdits: Readonly<Record<Tone, readonly Entry[]>> = {
  plain: [
    ['Edit (nothing above has changed): questions and corrections are welcome.'],
    ['Edit (this line is new): if something is unclear, please ask.'],
  ],
  warm: [
    ['Edit (nothing above has changed): thank you for reading, questions are welcome.'],
    ['Edit (this line is new): thoughts are welcome, short ones too.'],
  ],
  curious: [
    ['Edit (nothing above has changed): what would you ask about this?'],
    ['Edit (this line is new): what would you add?', 'quote'],
  ],
}

/** How a thread opens, above its first point, and the question that closes it. */
const threads: Readonly<Record<Tone, readonly (readonly [opening: string, closing: string])[]>> = {
  plain: [
    ['One point at a time, so that each can be answered:', 'Which of these would you change?'],
    ['The post in parts, to answer the one you mean:', 'Which part needs a correction?'],
    ['Point by point:', 'What is missing between these points?'],
    ['Taken apart, for those who want to go through it:', 'Where do you see it differently?'],
  ],
  warm: [
    ['Thank you for reading on. One point at a time:', 'Which of these is closest to you?'],
    ['For those who prefer small steps:', 'What would you add, kindly or otherwise?'],
    ['Step by step, and answers are welcome at each:', 'Which step is worth a longer talk?'],
    ['The same, a little slower:', 'What do you make of it?'],
  ],
  curious: [
    ['Which of these holds up? One at a time:', 'Which one would you doubt first?'],
    ['Each point by itself, to be tested:', 'Where does one of these not hold?'],
    ['In parts, because they may not all stand or fall together:', 'Which part would you drop?'],
    ['Point by point, to find the weak one:', 'Which one is it?'],
  ],
}

export const builtInTemplates: readonly TemplateData[] = [
  ...name('comment', comments),
  ...name('edit', edits),
  ...name('edit', mastodonEdits, 'mastodon'),
  ...Object.entries(threads).flatMap(([tone, list]) =>
    list.map(([opening, closing], index) => ({
      name: `${tone}-thread-${index + 1}`,
      action: 'thread' as const,
      tones: [tone as Tone],
      needs: ['points' as const],
      text: threadText(opening, closing),
    })),
  ),
]

/** A question that the post asks itself closes better than a ready-made one. */
function threadText(opening: string, closing: string): string {
  return [
    '{% for point in post.points %}{% if forloop.first %}',
    opening,
    '\n\n{% endif %}{{ forloop.index }}. {{ point }}\n---\n{% endfor %}',
    `{% if post.question %}{{ post.question }}{% else %}${closing}{% endif %}`,
  ].join('')
}

function name(
  action: Action,
  texts: Readonly<Record<Tone, readonly Entry[]>>,
  platform?: string,
): readonly TemplateData[] {
  const prefix = platform === undefined ? '' : `${platform}-`
  return Object.entries(texts).flatMap(([tone, entries]) =>
    entries.map(([text, ...needs], index) => ({
      name: `${prefix}${tone}-${action}-${index + 1}`,
      action,
      tones: [tone as Tone],
      ...(platform === undefined ? {} : { platforms: [platform] }),
      needs,
      text,
    })),
  )
}
