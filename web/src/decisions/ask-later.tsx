/** Owns asking how long an approval is put off. */

import { Button } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Time } from '../design/time.tsx'
import { formatDuration } from '../words/time.ts'

const minuteMs = 60_000
const choicesMs: readonly number[] = [
  30 * minuteMs,
  120 * minuteMs,
  480 * minuteMs,
  1440 * minuteMs,
]

export interface AskLaterProps {
  readonly expiresAt: string
  readonly onClose: () => void
  readonly onChoose: (forMs: number) => void
}

export function AskLater({ expiresAt, onClose, onChoose }: AskLaterProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Ask again later"
      description={
        <>
          It is asked again at the latest when the plan runs out, <Time at={expiresAt} />.
        </>
      }
    >
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {choicesMs.map((forMs) => (
          <Button key={forMs} onClick={() => onChoose(forMs)}>
            in {formatDuration(forMs)}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
