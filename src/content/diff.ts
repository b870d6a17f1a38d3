/**
 * Owns the difference between two texts, word by word, for those who approve an edit. Pure. Two
 * texts that differ nearly everywhere are shown as removed and added whole: nobody could read more,
 * and the work stays bounded.
 */

export interface DiffRun {
  readonly kind: 'kept' | 'added' | 'removed'
  readonly text: string
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
/** Cells of the table that is filled, after what both begin and end with was set aside. */
const largestTable = 1_000_000
/** Beyond this a text is not cut into words at all. */
const longestText = 200_000

/** Kept and removed runs joined are the text before; kept and added ones are the text after. */
export function diffWords(before: string, after: string): readonly DiffRun[] {
  if (before.length + after.length > longestText) return wholly(before, after)
  const old = splitWords(before)
  const fresh = splitWords(after)
  const shorter = Math.min(old.length, fresh.length)
  let head = 0
  while (head < shorter && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  const runs = new RunList()
  runs.add('kept', old.slice(0, head))
  diffMiddle(runs, old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail))
  runs.add('kept', old.slice(old.length - tail))
  return runs.list()
}

function wholly(before: string, after: string): readonly DiffRun[] {
  const runs = new RunList()
  if (before === after) runs.add('kept', [before])
  else {
    runs.add('removed', [before])
    runs.add('added', [after])
  }
  return runs.list()
}

function splitWords(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Follows the longest common subsequence from the front; what was removed stands first. */
function diffMiddle(runs: RunList, old: readonly string[], fresh: readonly string[]): void {
  const lengths = commonLengths(old, fresh)
  let i = 0
  let j = 0
  if (lengths !== null) {
    const width = fresh.length + 1
    while (i < old.length && j < fresh.length) {
      const [gone = '', come = ''] = [old[i], fresh[j]]
      if (gone === come) {
        runs.add('kept', [gone])
        i += 1
        j += 1
      } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) {
        runs.add('removed', [gone])
        i += 1
      } else {
        runs.add('added', [come])
        j += 1
      }
    }
  }
  runs.add('removed', old.slice(i))
  runs.add('added', fresh.slice(j))
}

/** For each pair of places, how many words their rests have in common; null where too many. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array | null {
  const width = fresh.length + 1
  if ((old.length + 1) * width > largestTable) return null
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === fresh[j]
          ? 1 + (lengths[(i + 1) * width + j + 1] ?? 0)
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  return lengths
}

/** Joins what follows upon its like. Between two kept runs the removed one stands first. */
class RunList {
  readonly #done: DiffRun[] = []
  #removed = ''
  #added = ''
  #kept = ''

  add(kind: DiffRun['kind'], words: readonly string[]): void {
    const text = words.join('')
    if (text === '') return
    if (kind === 'kept') {
      this.#flushChange()
      this.#kept += text
    } else {
      this.#flushKept()
      if (kind === 'removed') this.#removed += text
      else this.#added += text
    }
  }

  list(): readonly DiffRun[] {
    this.#flushChange()
    this.#flushKept()
    return this.#done
  }

  #flushKept(): void {
    if (this.#kept !== '') this.#done.push({ kind: 'kept', text: this.#kept })
    this.#kept = ''
  }

  #flushChange(): void {
    if (this.#removed !== '') this.#done.push({ kind: 'removed', text: this.#removed })
    if (this.#added !== '') this.#done.push({ kind: 'added', text: this.#added })
    this.#removed = ''
    this.#added = ''
  }
}
