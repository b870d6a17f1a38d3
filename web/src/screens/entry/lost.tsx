/** What is shown at an address that leads nowhere. */

import { Link } from '@tanstack/react-router'
import { Empty } from '../../design/situations.tsx'

export function Lost() {
  return (
    <Empty
      title="There is nothing at this address"
      action={
        <Link to="/" className="button">
          Go to Home
        </Link>
      }
    >
      The link may be old, or a letter of it is missing.
    </Empty>
  )
}
