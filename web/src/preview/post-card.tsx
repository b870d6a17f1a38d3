/** Owns a post as its platform shows it, near enough to judge how a text will look there. */

import type { ReactNode } from 'react'
import { Icon } from '../design/icons.tsx'
import { Time } from '../design/time.tsx'

export interface PostCardProps {
  readonly handle: string
  readonly platform: string
  /** ISO 8601, or null for what is not out yet. */
  readonly at: string | null
  readonly url?: string | null
  /** Marks what would be new. */
  readonly isNew?: boolean
  readonly children: ReactNode
}

export function PostCard(props: PostCardProps) {
  const { handle, platform, at, url = null, isNew = false, children } = props
  return (
    <article className="post-card" data-new={isNew}>
      <div aria-hidden="true" className="face">
        {handle.replace(/^@/, '').charAt(0).toUpperCase()}
      </div>
      <div className="min-w-0 flex-1">
        <header className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-semibold">{handle}</span>
          <span className="text-ink-faint">
            {platform} · {at === null ? 'not sent yet' : <Time at={at} />}
          </span>
          {url === null ? null : (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="ml-auto text-ink-faint hover:text-ink"
              aria-label={`See it on ${platform}`}
            >
              <Icon name="external" />
            </a>
          )}
        </header>
        <div className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{children}</div>
      </div>
    </article>
  )
}
