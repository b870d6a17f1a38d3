/** Owns dialogs: a title, what it asks, and the keys every dialog shares. */

import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly isWide?: boolean
  readonly children?: ReactNode
  /** What goes on, after a button that leaves everything as it is. */
  readonly goOn?: ReactNode
  /** All of the buttons, where there is nothing to leave. */
  readonly footer?: ReactNode
}

/** Who is asked to type can type at once; who is asked to confirm has to choose. */
function firstField(popup: HTMLElement | null): HTMLElement | true {
  return popup?.querySelector<HTMLElement>('textarea, input, select') ?? true
}

export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, description, isWide = false, children, goOn } = props
  const buttons = goOn ?? props.footer
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          className="dialog"
          data-wide={isWide}
          initialFocus={() => firstField(popup.current)}
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="text-lg!">{title}</Base.Title>
            <Base.Close className="button -mt-1 -mr-2" data-tone="quiet" aria-label="Close">
              <Icon name="stop" />
            </Base.Close>
          </div>
          {description === undefined ? null : (
            <Base.Description className="mt-1 text-ink-soft" render={<div />}>
              {description}
            </Base.Description>
          )}
          {children === undefined ? null : <div className="mt-4">{children}</div>}
          {buttons === undefined ? null : (
            <div className="mt-5 flex flex-wrap justify-end gap-2">
              {goOn === undefined ? null : <Button onClick={onClose}>Not now</Button>}
              {buttons}
            </div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
