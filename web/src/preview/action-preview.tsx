/** Owns how an action will look where it goes: beneath its post, or in place of its text. */

import type { ActionSummary } from '../../../src/server/schema/action.ts'
import { PostCard } from './post-card.tsx'
import { WordDiff } from './word-diff.tsx'

const erased = 'The text was erased with its account.'

export function ActionPreview({ action }: { readonly action: ActionSummary }) {
  const { post, handle, platform } = action
  const card = { handle, platform, at: post.publishedAt, url: post.url }
  if (action.diff !== null) {
    return (
      <div className="preview">
        <PostCard {...card} isNew>
          <WordDiff runs={action.diff} />
        </PostCard>
      </div>
    )
  }
  return (
    <div className="preview">
      <PostCard {...card}>{post.text ?? erased}</PostCard>
      <Replies action={action} />
    </div>
  )
}

function Replies({ action }: { readonly action: ActionSummary }) {
  const { segments, handle, platform, endedAt, state, url } = action
  const at = state === 'success' ? endedAt : null
  if (segments.length === 0) {
    return (
      <PostCard handle={handle} platform={platform} at={at} isNew>
        {erased}
      </PostCard>
    )
  }
  return segments.map((text, index) => (
    <PostCard key={index} handle={handle} platform={platform} at={at} url={url} isNew>
      {text}
    </PostCard>
  ))
}
