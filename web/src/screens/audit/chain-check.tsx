/** Owns checking the chain of hashes, and what the check means. */

import { useQuery } from '@tanstack/react-query'
import type { AuditReportView } from '../../../../src/server/schema/event.ts'
import { auditReportQuery } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { wordError } from '../../design/situations.tsx'
import { formatCount, plural } from '../../words/numbers.ts'
import { wordName } from '../../words/states.ts'

export function ChainCheck() {
  // It reads the whole log, so it waits to be asked.
  const report = useQuery({ ...auditReportQuery, enabled: false })
  const isBroken = (report.data?.problems.length ?? 0) > 0 || report.error !== null
  const tone = isBroken ? 'bad' : report.data === undefined ? 'plain' : 'good'
  return (
    <div className="note" data-tone={tone} role="status">
      <div className="min-w-0 flex-1 basis-60">
        {report.data === undefined ? (
          <p className="text-ink-soft">
            {report.error === null
              ? 'Events are chained by hashes. A change to the past breaks the chain.'
              : wordError(report.error).detail}
          </p>
        ) : (
          <Report report={report.data} />
        )}
      </div>
      <Button isBusy={report.isFetching} onClick={() => void report.refetch()}>
        {report.data === undefined ? 'Check the chain' : 'Check again'}
      </Button>
    </div>
  )
}

function Report({ report }: { readonly report: AuditReportView }) {
  const { problems, entries, unsealed, head } = report
  if (problems.length > 0) {
    return (
      <>
        <p className="font-semibold">
          The chain is broken in {plural(problems.length, 'place')}. Someone changed the past.
        </p>
        <ul className="text-sm text-ink-soft">
          {problems.slice(0, 5).map(({ kind, number, seq }) => (
            <li key={`${kind} ${number}`}>
              {wordName(kind)} at entry {formatCount(number)}
              {seq === null ? '' : `, event ${formatCount(seq)}`}
            </li>
          ))}
        </ul>
      </>
    )
  }
  return (
    <>
      <p>
        <strong>The chain is whole.</strong> {plural(entries, 'event')} checked,{' '}
        {formatCount(unsealed)} not chained yet.
      </p>
      <p className="font-mono text-xs text-ink-soft [overflow-wrap:anywhere]">head {head}</p>
    </>
  )
}
