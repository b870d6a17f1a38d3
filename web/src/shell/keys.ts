/**
 * Owns the keyboard: single keys and sequences such as `g i`. While someone types in a field, or a
 * dialog is open, keys belong to that.
 */

import { useEffect, useRef } from 'react'

/** What each key or sequence does; `g i` is one key after the other. */
export type KeyMap = Readonly<Record<string, (() => void) | undefined>>

/** After it, a key is never one by itself: `g a` never approves. */
const prefix = 'g'
/** After this long a sequence that was begun is forgotten. */
const sequenceMs = 1200

export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    let first = ''
    let firstAt = 0
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isForThePage(event)) return
      const isSecond = first === prefix && event.timeStamp - firstAt < sequenceMs
      const run = latest.current[isSecond ? `${prefix} ${event.key}` : event.key]
      first = isSecond ? '' : event.key
      firstAt = event.timeStamp
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isForThePage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  // Toasts are dialogs too, by their role, but they ask for nothing.
  if (document.querySelector('.dialog') !== null) return false
  const target = event.target instanceof HTMLElement ? event.target : null
  if (target === null) return true
  if (target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable="true"]')) {
    return false
  }
  // Enter and space press the button or follow the link that has the focus.
  const isPress = event.key === 'Enter' || event.key === ' '
  return !(isPress && target.matches('a, button, summary, input'))
}
