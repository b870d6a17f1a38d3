/**
 * Owns the line that says how real this is: DEMO, WATCH or LIVE. It is always there, because
 * nobody must wonder whether a click goes out to the world.
 */

import type { OverviewView } from '../../../src/server/schema/overview.ts'
import type { SessionView } from '../../../src/server/schema/session.ts'
import { plural } from '../words/numbers.ts'

export type Reality = 'demo' | 'watch' | 'live'

export function realityOf(
  mode: SessionView['mode'],
  accounts: OverviewView['accounts'] | undefined,
): Reality {
  if (mode === 'demo') return 'demo'
  return (accounts?.approve ?? 0) + (accounts?.auto ?? 0) > 0 ? 'live' : 'watch'
}

function sentenceFor(reality: Reality, accounts: OverviewView['accounts'] | undefined): string {
  switch (reality) {
    case 'demo':
      return 'A simulated network. Nothing leaves this computer.'
    case 'watch':
      return 'Second Wind only reports. Nothing is sent.'
    case 'live': {
      const parts = [
        (accounts?.approve ?? 0) > 0
          ? `${plural(accounts?.approve ?? 0, 'account')} ask first`
          : '',
        (accounts?.auto ?? 0) > 0
          ? `${plural(accounts?.auto ?? 0, 'account')} act by themselves`
          : '',
      ].filter((part) => part !== '')
      return `Approved actions go out. ${parts.join(', ')}.`
    }
  }
}

export interface ModeBannerProps {
  readonly mode: SessionView['mode']
  readonly accounts: OverviewView['accounts'] | undefined
}

export function ModeBanner({ mode, accounts }: ModeBannerProps) {
  const reality = realityOf(mode, accounts)
  return (
    <div className="mode-banner" data-reality={reality}>
      <strong>{reality.toUpperCase()}</strong>
      <span>{sentenceFor(reality, accounts)}</span>
    </div>
  )
}
