/** Accounts: connected? allowed? */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { AccountView } from '../../../../src/server/schema/account.ts'
import { accountsQuery, pausesQuery } from '../../api/queries.ts'
import { Badge } from '../../design/badge.tsx'
import type { Tone } from '../../design/badge.tsx'
import { Page } from '../../design/page.tsx'
import { Empty, Loading, Trouble } from '../../design/situations.tsx'
import { pauseOfAccount } from '../../shell/pausing.ts'
import { modeWords } from '../../words/states.ts'
import { AccountPanel } from './account-panel.tsx'
import { Connect } from './connect.tsx'

const route = getRouteApi('/accounts')

export function AccountsScreen() {
  const { id, connect } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(accountsQuery)
  const accounts = query.data ?? []
  const current = accounts.find((account) => account.id === id) ?? accounts[0]
  return (
    <Page
      title="Accounts"
      question="Connected? Allowed?"
      actions={
        <Link to="/accounts" search={{ connect: 'new' }} className="button" data-tone="main">
          Connect an account
        </Link>
      }
    >
      {query.isPending ? <Loading rows={5} /> : null}
      {query.error === null ? null : (
        <Trouble error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && accounts.length === 0 ? (
        <div className="card">
          <Empty title="No account is connected yet">
            Connect one to see its posts. It begins in mode approve: Second Wind asks before
            anything goes out.
          </Empty>
        </div>
      ) : null}
      {current === undefined ? null : (
        <div className="grid items-start gap-5 lg:grid-cols-[16rem_minmax(0,1fr)]">
          <AccountList accounts={accounts} current={current.id} />
          <AccountPanel key={current.id} id={current.id} />
        </div>
      )}
      {connect === undefined || !query.isSuccess ? null : (
        <Connect
          account={accounts.find((account) => account.id === connect) ?? null}
          onClose={() => void navigate({ search: (before) => ({ ...before, connect: undefined }) })}
        />
      )}
    </Page>
  )
}

interface AccountListProps {
  readonly accounts: readonly AccountView[]
  readonly current: string
}

function AccountList({ accounts, current }: AccountListProps) {
  const { data: pauses = [] } = useQuery(pausesQuery)
  return (
    <nav aria-label="Accounts" className="card overflow-hidden">
      {accounts.map((account) => (
        <Link
          key={account.id}
          to="/accounts"
          search={{ id: account.id }}
          aria-current={account.id === current ? 'true' : undefined}
          className="inbox-row border-b border-line last:border-0"
        >
          <span className="flex min-w-0 items-center justify-between gap-2">
            <span className="min-w-0 truncate font-medium">{account.handle}</span>
            {pauseOfAccount(pauses, account.id) === undefined ? (
              <AccountMark status={account.status} />
            ) : (
              <Badge tone="warn">paused</Badge>
            )}
          </span>
          <span className="text-xs text-ink-faint">
            {account.platformTitle} · {modeWords[account.mode]}
          </span>
        </Link>
      ))}
    </nav>
  )
}

const marks: Readonly<Record<AccountView['status'], readonly [string, Tone]>> = {
  active: ['connected', 'good'],
  parked: ['parked', 'bad'],
  erased: ['erased', 'plain'],
}

export function AccountMark({ status }: { readonly status: AccountView['status'] }) {
  const [label, tone] = marks[status]
  return <Badge tone={tone}>{label}</Badge>
}
