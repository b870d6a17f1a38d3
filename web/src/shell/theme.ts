/** Owns the theme: the system's, unless the viewer chose one. */

import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const storageKey = 'theme'
const listeners = new Set<() => void>()
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/** The theme that is shown now. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  if (chosen === 'light' || chosen === 'dark') return chosen
  return systemIsDark.matches ? 'dark' : 'light'
}

export function toggleTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset['theme'] = next
  try {
    localStorage.setItem(storageKey, next)
  } catch {
    // Without storage it lasts until the page is closed.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  systemIsDark.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    systemIsDark.removeEventListener('change', listener)
  }
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme)
}
