/** Owns buttons: what they look like, and that one which is busy cannot be pressed twice. */

import type { ComponentProps, ReactNode } from 'react'

export type ButtonTone = 'plain' | 'main' | 'danger' | 'alarm' | 'quiet'

export interface ButtonProps extends ComponentProps<'button'> {
  readonly tone?: ButtonTone
  readonly size?: 'small' | 'usual'
  readonly isBusy?: boolean
  /** The key that does the same, shown beside the words. */
  readonly shortcut?: string
  readonly children: ReactNode
}

export function Button(props: ButtonProps) {
  const { tone = 'plain', size = 'usual', isBusy = false, shortcut, children, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={`button ${rest.className ?? ''}`}
      data-tone={tone}
      data-size={size}
      disabled={rest.disabled === true || isBusy}
      aria-keyshortcuts={shortcut}
    >
      {children}
      {shortcut === undefined ? null : (
        <kbd aria-hidden="true" className="max-sm:hidden!">
          {shortcut}
        </kbd>
      )}
    </button>
  )
}
