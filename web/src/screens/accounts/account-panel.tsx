/** Owns one account: whether it works, what it may do, and its settings. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AccountDetail, AccountTest } from '../../../../src/server/schema/account.ts'
import { accountQuery, pausesQuery } from '../../api/queries.ts'
import { post } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Section } from '../../design/page.tsx'
import { Loading, Trouble } from '../../design/situations.tsx'
import { Time } from '../../design/time.tsx'
import { notifyError } from '../../design/toasts.tsx'
import { pauseOfAccount, usePause } from '../../shell/pausing.ts'
import { AccountSettings } from './account-settings.tsx'
import { Capabilities } from './capabilities.tsx'
import { Erase } from './erase.tsx'
import { Restored } from './restored.tsx'
import { Trial } from './trial.tsx'

export function AccountPanel({ id }: { readonly id: string }) {
  const query = useQuery(accountQuery(id))
  if (query.error !== null) {
    return <Trouble error={query.error} onRetry={() => void query.refetch()} />
  }
  const account = query.data
  if (account === undefined) return <Loading rows={8} />
  return (
    <div className="grid gap-5">
      <Restored account={account} />
      <Connection account={account} />
      {account.status === 'erased' ? null : (
        <>
          <AccountSettings key={settingsOf(account)} account={account} />
          <Capabilities account={account} />
          <Trial account={account} />
          <Erase account={account} />
        </>
      )}
    </div>
  )
}

/** The form begins anew when its values change, and not when anything else does. */
function settingsOf({ mode, policy, timeZone, holdoutShare }: AccountDetail): string {
  return `${mode} ${policy} ${timeZone} ${holdoutShare}`
}

function Connection({ account }: { readonly account: AccountDetail }) {
  const test = useMutation({
    mutationFn: () => post<AccountTest>(`/accounts/${encodeURIComponent(account.id)}/test`),
    onError: notifyError,
  })
  return (
    <Section title={`${account.handle} on ${account.platformTitle}`}>
      <div className="grid gap-3">
        <p className="text-ink-soft">{describeConnection(account)}</p>
        {account.discoverAt === null ? null : (
          <p className="text-sm text-ink-faint">
            Its timeline is read next <Time at={account.discoverAt} />.
          </p>
        )}
        {test.data === undefined ? null : <TestResult result={test.data} />}
        {account.status === 'erased' || account.isExternal ? null : (
          <div className="flex flex-wrap gap-2">
            <Button isBusy={test.isPending} onClick={() => test.mutate()}>
              Test the connection
            </Button>
            <Link
              to="/accounts"
              search={{ id: account.id, connect: account.id }}
              className="button"
              data-tone={account.status === 'parked' ? 'main' : 'plain'}
            >
              Sign in again
            </Link>
            <PauseButton id={account.id} />
          </div>
        )}
      </div>
    </Section>
  )
}

/** A pause that is in force stands above every screen, with a button to resume it. */
function PauseButton({ id }: { readonly id: string }) {
  const { data: pauses = [] } = useQuery(pausesQuery)
  const pause = usePause()
  if (pauseOfAccount(pauses, id) !== undefined) return null
  return (
    <Button
      tone="danger"
      isBusy={pause.isPending}
      onClick={() => pause.mutate({ scope: 'account', target: id })}
    >
      Pause this account
    </Button>
  )
}

function describeConnection(account: AccountDetail): string {
  if (account.status === 'erased') return 'Erased: its secrets and texts are gone.'
  if (account.status === 'parked') {
    const why = account.statusReason ?? 'its sign-in ended'
    return `Parked: ${why}. Nothing is read or sent until it is signed in again.`
  }
  if (account.isExternal) {
    return 'Its counters are pushed over the API. It is only watched; nothing can be sent for it.'
  }
  return account.hasCredentials ? 'Connected.' : 'Connected without credentials.'
}

function TestResult({ result }: { readonly result: AccountTest }) {
  return (
    <p role="status" className="note" data-tone={result.kind === 'ok' ? 'good' : 'bad'}>
      {result.kind === 'ok'
        ? `It answers as ${result.handle}. Nothing was written.`
        : `${result.code}: ${result.detail}`}
    </p>
  )
}
