/** Many replies and few likes is a quarrel. Adding to it would be the worst kind of help. */

import { z } from 'zod'
import { untilEvent } from '../until.ts'
import { formatCount } from '../wording.ts'
import { defineGuard, hold, pass } from './guard.ts'

interface BacklashFacts extends Readonly<Record<string, number | null>> {
  readonly replies: number | null
  readonly likes: number | null
  readonly minimumReplies: number
  readonly repliesPerLike: number
}

export const backlash = defineGuard({
  settings: z.strictObject({
    guard: z.literal('backlash'),
    minimumReplies: z.int().positive(),
    repliesPerLike: z.number().positive(),
  }),
  check({ newest }, { guard, minimumReplies, repliesPerLike }) {
    const replies = newest.interactions?.['replies'] ?? null
    const likes = newest.interactions?.['likes'] ?? null
    const facts: BacklashFacts = { replies, likes, minimumReplies, repliesPerLike }
    if (replies === null || likes === null || replies < minimumReplies) return pass(guard, facts)
    if (replies <= likes * repliesPerLike) return pass(guard, facts)
    return hold(guard, facts, untilEvent('next_sample'))
  },
  describe({ replies, likes, minimumReplies, repliesPerLike }: BacklashFacts) {
    const seen = `${countOr(replies)} replies and ${countOr(likes)} likes`
    const limit = `over ${formatCount(repliesPerLike)} replies a like`
    return `${seen}; backlash is ${limit} from ${formatCount(minimumReplies)} replies on`
  },
})

function countOr(count: number | null): string {
  return count === null ? 'an unknown number of' : formatCount(count)
}
