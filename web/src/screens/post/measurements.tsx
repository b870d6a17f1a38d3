/** Owns what the post gained after it got its arm. A single post proves nothing, and it says so. */

import { Link } from '@tanstack/react-router'
import type { PostDetail } from '../../../../src/server/schema/post.ts'
import { Section } from '../../design/page.tsx'
import { Time } from '../../design/time.tsx'
import { formatCount } from '../../words/numbers.ts'
import { formatDuration } from '../../words/time.ts'

export function Measurements({ post }: { readonly post: PostDetail }) {
  return (
    <Section title="Did it help?">
      {post.measurements.length === 0 ? (
        <p className="text-ink-soft">
          Nothing is measured: the post was never due for an action, so it has no arm.
        </p>
      ) : (
        <div className="grid gap-3">
          <table className="table">
            <caption className="sr-only">Engagements gained after the arm was drawn</caption>
            <thead>
              <tr>
                <th scope="col">After</th>
                <th scope="col">Gained</th>
                <th scope="col">Read</th>
              </tr>
            </thead>
            <tbody>
              {post.measurements.map(({ horizonMs, gain, takenAt, dueAt }) => (
                <tr key={horizonMs}>
                  <td>{formatDuration(horizonMs)}</td>
                  <td>{wordGain(gain, takenAt)}</td>
                  <td>
                    <Time at={takenAt ?? dueAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="text-sm text-ink-soft">
            One post cannot tell what it would have gained without help.{' '}
            <Link to="/impact" className="link">
              Impact
            </Link>{' '}
            compares many with those held out.
          </p>
        </div>
      )}
    </Section>
  )
}

function wordGain(gain: number | null, takenAt: string | null): string {
  if (takenAt === null) return 'not yet'
  return gain === null ? 'could not be read' : `${formatCount(gain)} engagements`
}
