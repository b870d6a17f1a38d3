/**
 * I11: nothing is sent during a pause or quiet hours, nor without the approval that the mode asks
 * for. (That nothing goes over budget is counted with I2.)
 */

import type { Policy } from '../../src/core/policy.ts'
import type { LedgerEvent } from '../../src/core/events.ts'
import type { AccountRow, ActionRow } from '../../src/ledger/index.ts'
import { accountOf, actionOf, guardOf, policyOf } from './scene.ts'
import type { Check, Scene } from './scene.ts'

interface KnownPause {
  readonly scope: string
  readonly target: string
  readonly until: number | null
}

export function checkPermission(scene: Scene): Check {
  const pauses = new Map<string, KnownPause>()
  return {
    onEvent(event) {
      notePause(scene, pauses, event)
      if (event.type !== 'attempt_begun') return
      const row = actionOf(scene, event)
      const account = accountOf(scene, row)
      const problem =
        findPause([...pauses.values()], account, event.at) ??
        findMissingApproval(scene, row, account) ??
        findQuietHours(policyOf(scene, account), row, account, event.at)
      if (problem !== null) scene.report('I11', `an attempt was begun ${problem}`, row)
    },
  }
}

/** Follows the events; only when a pause ends by itself has to be looked up. */
function notePause({ rows }: Scene, pauses: Map<string, KnownPause>, event: LedgerEvent): void {
  if (event.type !== 'paused' && event.type !== 'resumed') return
  const { scope, target } = event.data
  const name = `${scope} ${target}`
  if (event.type === 'resumed') {
    pauses.delete(name)
    return
  }
  const row = rows.pauses.find((each) => each.scope === scope && each.target === target)
  pauses.set(name, { scope, target, until: row?.until ?? null })
}

function findPause(pauses: readonly KnownPause[], account: AccountRow, now: number): string | null {
  if (account.status !== 'active') return `while its account is ${account.status}`
  const pause = pauses.find(
    ({ scope, target, until }) =>
      (until === null || until > now) &&
      (scope === 'everything' || target === account.id || target === account.platform),
  )
  return pause === undefined ? null : `while ${pause.scope} ${pause.target} is paused`
}

/** An approval counts for the very text, under the very policy. */
function findMissingApproval(scene: Scene, row: ActionRow, account: AccountRow): string | null {
  // Whoever takes something back has asked for it in person.
  if (row.undoes !== null) return account.mode === 'watch' ? 'in watch mode' : null
  if (account.mode === 'auto') return null
  if (account.mode === 'watch') return 'in watch mode'
  const isApproved = scene.rows.approvals
    .get(row.id)
    .some(
      ({ decision, textHash, policy }) =>
        decision === 'approved' && textHash === row.textHash && policy === account.policy,
    )
  return isApproved ? null : 'without approval of its text under this policy'
}

function findQuietHours(
  policy: Policy,
  row: ActionRow,
  { timeZone }: AccountRow,
  now: number,
): string | null {
  const quiet = guardOf(policy, 'quiet_hours')
  if (quiet === null || row.undoes !== null) return null
  const time = formatFor(timeZone).format(now)
  const isQuiet =
    quiet.from <= quiet.to
      ? time >= quiet.from && time < quiet.to
      : time >= quiet.from || time < quiet.to
  return isQuiet ? `at ${time} in ${timeZone}, which is quiet` : null
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}
