/** Keeps comments doing their work: a header that says what a file owns, and nothing put off. */

import type { Rule } from './source-file.ts'

export const headerComment: Rule = {
  name: 'header-comment',
  check({ path, text, comments }) {
    if (!path.startsWith('src/')) return []
    const afterHashbang = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0
    const start = afterHashbang + (/\S/.exec(text.slice(afterHashbang))?.index ?? 0)
    const header = comments.find((comment) => comment.start === start)
    // The value of a block comment is what stands between its first `/*` and its `*/`.
    if (header?.type === 'Block' && /^\*[^]*\w/.test(header.value)) return []
    return [{ at: start, what: 'begin the file with a /** comment */ that says what it owns' }]
  },
}

export const unfinished: Rule = {
  name: 'unfinished',
  check: ({ comments }) =>
    comments.flatMap(({ value, start }) =>
      [...value.matchAll(/\b(TODO|FIXME|XXX)\b/g)].map(({ 0: word, index }) => ({
        at: start + 2 + index,
        what: `${word} puts work off; do it now or write it down as an issue`,
      })),
    ),
}
