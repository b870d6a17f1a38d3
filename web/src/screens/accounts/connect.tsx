/** Owns connecting an account: choose the network, choose the way to sign in, sign in. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountView } from '../../../../src/server/schema/account.ts'
import type { PlatformView } from '../../../../src/server/schema/platform.ts'
import { platformsQuery } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Loading, Trouble } from '../../design/situations.tsx'
import { ExternalForm } from './external-form.tsx'
import { SignInForm } from './sign-in-form.tsx'

export interface ConnectProps {
  /** The account to sign in again, or null for a new one. */
  readonly account: AccountView | null
  readonly onClose: () => void
}

const external = 'external'

export function Connect({ account, onClose }: ConnectProps) {
  const platforms = useQuery(platformsQuery)
  const [chosen, setChosen] = useState<string | null>(account?.platform ?? null)
  const platform = platforms.data?.find(({ name }) => name === chosen)
  const title = account === null ? 'Connect an account' : `Sign in again as ${account.handle}`
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={platform === undefined ? title : `${title} on ${platform.title}`}
      description="Credentials are sealed before they are stored. Nothing is sent by connecting."
    >
      {platforms.isPending ? <Loading rows={3} /> : null}
      {platforms.error === null ? null : (
        <Trouble error={platforms.error} onRetry={() => void platforms.refetch()} />
      )}
      {platforms.data !== undefined && platform === undefined && chosen !== external ? (
        <NetworkChoice platforms={platforms.data} onChoose={setChosen} />
      ) : null}
      {platform === undefined ? null : (
        <SignInForm platform={platform} account={account} onDone={onClose} />
      )}
      {chosen === external ? <ExternalForm onDone={onClose} /> : null}
      {chosen !== null && account === null ? (
        <Button tone="quiet" size="small" className="mt-3" onClick={() => setChosen(null)}>
          Choose another network
        </Button>
      ) : null}
    </Dialog>
  )
}

interface NetworkChoiceProps {
  readonly platforms: readonly PlatformView[]
  readonly onChoose: (name: string) => void
}

function NetworkChoice({ platforms, onChoose }: NetworkChoiceProps) {
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      {platforms.map(({ name, title, signIns }) => (
        <Button key={name} className="h-auto! justify-start! py-3!" onClick={() => onChoose(name)}>
          <span className="grid text-left">
            <span>{title}</span>
            <span className="font-normal whitespace-normal text-ink-faint">
              {signIns.map((signIn) => signIn.title).join(', or ')}
            </span>
          </span>
        </Button>
      ))}
      <Button className="h-auto! justify-start! py-3!" onClick={() => onChoose(external)}>
        <span className="grid text-left">
          <span>Counters of your own</span>
          <span className="font-normal whitespace-normal text-ink-faint">
            pushed over the API; only watched
          </span>
        </span>
      </Button>
    </div>
  )
}
