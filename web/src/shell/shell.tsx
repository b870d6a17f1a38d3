/** Owns the frame around every screen: navigation, banner, pause, keys, connection. */

import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SessionView } from '../../../src/server/schema/session.ts'
import { overviewQuery } from '../api/queries.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'
import { KeysSheet } from './keys-sheet.tsx'
import { useKeys } from './keys.ts'
import { LiveProvider, useConnection } from './live.tsx'
import { ModeBanner } from './mode-banner.tsx'
import { Navigation, places } from './navigation.tsx'
import { NowProvider } from './now.tsx'
import { PauseAll } from './pause-all.tsx'
import { PauseNote } from './pause-note.tsx'
import { SignOut } from './sign-out.tsx'
import { toggleTheme, useTheme } from './theme.ts'

export function Shell({ session }: { readonly session: SessionView }) {
  return (
    <LiveProvider>
      <Frame session={session} />
    </LiveProvider>
  )
}

function Frame({ session }: { readonly session: SessionView }) {
  const overview = useQuery(overviewQuery)
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const navigate = useNavigate()
  useKeys({
    ...Object.fromEntries(places.map(({ to, keys }) => [keys, () => void navigate({ to })])),
    '?': () => setIsSheetOpen(true),
    t: toggleTheme,
    Escape: isMenuOpen ? () => setIsMenuOpen(false) : undefined,
  })
  const reading =
    overview.data === undefined
      ? null
      : { ledgerMs: Date.parse(overview.data.now), takenMs: overview.dataUpdatedAt }
  return (
    <NowProvider reading={reading}>
      <a href="#main" className="skip-link">
        Skip to the screen
      </a>
      <div className="frame">
        <aside id="side" className="side" data-open={isMenuOpen} aria-label="Second Wind">
          <Brand />
          <Navigation overview={overview.data} onFollow={() => setIsMenuOpen(false)} />
          <div className="mt-auto grid gap-0.5">
            <button type="button" className="place" onClick={() => setIsSheetOpen(true)}>
              <kbd>?</kbd> Keys
            </button>
            <ThemeButton />
            <SignOut name={session.actor?.name ?? ''} />
          </div>
        </aside>
        <div className="min-w-0">
          <div className="top">
            <MenuButton isOpen={isMenuOpen} onToggle={() => setIsMenuOpen((open) => !open)} />
            <ModeBanner mode={session.mode} accounts={overview.data?.accounts} />
            <div className="ml-auto flex items-center gap-2">
              <ConnectionMark />
              <PauseAll />
            </div>
          </div>
          <PauseNote />
          <main id="main" tabIndex={-1} className="outline-none">
            <Outlet />
          </main>
        </div>
      </div>
      <KeysSheet isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} />
    </NowProvider>
  )
}

function Brand() {
  return (
    <div className="flex items-center gap-2.5 px-2 py-1 font-semibold tracking-tight">
      <img src="/icon.svg" alt="" width="22" height="22" />
      Second Wind
    </div>
  )
}

interface MenuButtonProps {
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function MenuButton({ isOpen, onToggle }: MenuButtonProps) {
  return (
    <Button
      tone="quiet"
      className="md:hidden"
      aria-label="Menu"
      aria-expanded={isOpen}
      aria-controls="side"
      onClick={onToggle}
    >
      <Icon name="menu" />
    </Button>
  )
}

function ThemeButton() {
  const theme = useTheme()
  return (
    <button type="button" className="place" onClick={toggleTheme}>
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
      {theme === 'dark' ? 'Light theme' : 'Dark theme'}
    </button>
  )
}

/** Silent while all is well; a viewer only needs to know that what they see may be old. */
function ConnectionMark() {
  const connection = useConnection()
  return (
    <span role="status" className="text-sm">
      {connection === 'lost' ? <span className="text-bad">Not connected, trying again</span> : null}
    </span>
  )
}
