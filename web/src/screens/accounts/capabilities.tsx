/** Owns what the network lets an account do, and its limits. */

import type { AccountDetail } from '../../../../src/server/schema/account.ts'
import { Badge } from '../../design/badge.tsx'
import { Section } from '../../design/page.tsx'
import { formatCount } from '../../words/numbers.ts'
import { formatDuration } from '../../words/time.ts'

const classWords = {
  A: 'A: a repeat is ignored',
  B: 'B: can be read back',
  C: 'C: neither, so a person looks',
} as const

export function Capabilities({ account }: { readonly account: AccountDetail }) {
  return (
    <Section title="What the network allows" isFlush>
      <div className="overflow-x-auto" role="group" tabIndex={0} aria-label="Capabilities">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Action</th>
              <th scope="col">Allowed</th>
              <th scope="col">Class of write</th>
              <th scope="col">Within</th>
              <th scope="col">Undo</th>
            </tr>
          </thead>
          <tbody>
            {account.capabilities.map((capability) => (
              <tr key={capability.action}>
                <th scope="row">{capability.action}</th>
                <td>
                  <Badge tone={capability.supported ? 'good' : 'plain'}>
                    {capability.supported ? 'yes' : 'no'}
                  </Badge>{' '}
                  <span className="text-ink-soft">{capability.why}</span>
                </td>
                <td>{capability.writeClass === null ? '–' : classWords[capability.writeClass]}</td>
                <td>
                  {capability.withinMs === null ? 'any time' : formatDuration(capability.withinMs)}
                </td>
                <td>{capability.canUndo ? 'yes' : 'no'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Limits limits={account.limits} />
    </Section>
  )
}

function Limits({ limits }: { readonly limits: AccountDetail['limits'] }) {
  if (limits === null) {
    return (
      <p className="px-4 py-3 text-sm text-ink-soft">It has no connector, so no limits apply.</p>
    )
  }
  const facts: readonly (readonly [string, string])[] = [
    ['Longest text', `${formatCount(limits.maximumLength)} characters`],
    ['Longest thread', `${formatCount(limits.threadMaximum)} posts`],
    ['Impressions', limits.hasImpressions ? 'read' : 'not given by the network'],
    ['Counters', limits.counters.join(', ')],
    ['Counters lag', formatDuration(limits.counterLagMs)],
    ...limits.rates.map(
      ({ name, maximum, windowMs }) =>
        [`Rate: ${name}`, `${formatCount(maximum)} in ${formatDuration(windowMs)}`] as const,
    ),
  ]
  return (
    <dl className="facts border-t border-line px-4 py-3">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-faint">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
