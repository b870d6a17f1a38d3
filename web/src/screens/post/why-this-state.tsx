/** Owns the answer to "why?": the latest verdict in words, and when something is possible next. */

import type { PostDetail } from '../../../../src/server/schema/post.ts'
import { VerdictMark } from '../../design/action-marks.tsx'
import { Section } from '../../design/page.tsx'
import { Prose } from '../../design/prose.tsx'
import { Time } from '../../design/time.tsx'
import { GuardList, summariseGuards } from '../../preview/guard-list.tsx'
import { formatScore } from '../../words/numbers.ts'

export function WhyThisState({ post }: { readonly post: PostDetail }) {
  const [latest] = post.verdicts
  if (latest === undefined) {
    return (
      <Section title="Why">
        <p className="text-ink-soft">
          It has not been looked at yet. The first look comes with the next check.
        </p>
      </Section>
    )
  }
  return (
    <Section
      title="Why"
      aside={
        <>
          looked at <Time at={latest.evaluatedAt} />
        </>
      }
    >
      <div className="grid gap-3">
        <p className="flex flex-wrap items-center gap-2">
          <VerdictMark kind={latest.kind} />
          {latest.score === null ? null : (
            <span className="text-sm text-ink-faint">score {formatScore(latest.score)}</span>
          )}
        </p>
        {post.nextPossible === null ? null : (
          <p className="font-medium">
            <Prose text={post.nextPossible.sentence} />
            {post.nextPossible.until.kind === 'time' ? (
              <span className="font-normal text-ink-faint">
                {' '}
                (<Time at={post.nextPossible.until.at} />)
              </span>
            ) : null}
          </p>
        )}
        <p className="text-ink-soft">
          <Prose text={latest.sentence} />
        </p>
        {latest.guards.length === 0 ? null : (
          <details>
            <summary className="cursor-pointer text-sm">
              <span className="font-semibold">Guards</span>{' '}
              <span className="text-ink-faint">{summariseGuards(latest.guards)}</span>
            </summary>
            <div className="mt-2">
              <GuardList guards={latest.guards} />
            </div>
          </details>
        )}
      </div>
    </Section>
  )
}
