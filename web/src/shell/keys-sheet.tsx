/** Owns the sheet behind `?`. */

import { Dialog } from '../design/dialog.tsx'
import { keyGroups } from './key-list.ts'

export interface KeysSheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function KeysSheet({ isOpen, onClose }: KeysSheetProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keys" isWide>
      <div className="grid gap-6 sm:grid-cols-2">
        {keyGroups.map(({ title, keys }) => (
          <section key={title} aria-label={title} className="first:row-span-2">
            <h3 className="mb-2">{title}</h3>
            <dl className="grid gap-1.5 text-sm">
              {keys.map(([sequence, does]) => (
                <div key={sequence} className="flex items-center justify-between gap-4">
                  <dd className="text-ink-soft">{does}</dd>
                  <dt className="flex gap-1">
                    {sequence.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
