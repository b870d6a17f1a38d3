/** Owns how an account is told. Its credentials are never among it, sealed or not. */

import { actions } from '../../core/action.ts'
import type { AccountRow } from '../../ledger/rows.ts'
import type { Description } from '../../platform/platform.ts'
import { externalPlatform } from '../networks.ts'
import type { AccountDetail, AccountView } from '../schema/account.ts'
import { iso, isoOrNull } from './time.ts'

export function toAccountView(row: AccountRow, platformTitle: string): AccountView {
  return {
    id: row.id,
    platform: row.platform,
    platformTitle,
    handle: row.handle,
    mode: row.mode,
    timeZone: row.timeZone,
    policy: row.policy,
    holdoutShare: row.holdoutShare,
    status: row.status,
    statusReason: row.statusReason,
    hasCredentials: row.credentials !== null,
    createdAt: iso(row.createdAt),
    discoverAt: isoOrNull(row.discoverAt),
    isExternal: row.platform === externalPlatform,
  }
}

export function toAccountDetail(
  row: AccountRow,
  platformTitle: string,
  description: Description | null,
): AccountDetail {
  return {
    ...toAccountView(row, platformTitle),
    capabilities: description === null ? [] : toCapabilities(description),
    limits: description === null ? null : toLimits(description),
    profile: row.profile,
  }
}

function toCapabilities(description: Description): AccountDetail['capabilities'] {
  return actions.map((action) => {
    const capability = description.actions[action]
    return {
      action,
      supported: capability.supported,
      why: capability.supported ? null : capability.why,
      writeClass: capability.supported ? capability.writeClass : null,
      withinMs: capability.supported ? capability.withinMs : null,
      canUndo: description.canUndo[action],
    }
  })
}

function toLimits(description: Description): AccountDetail['limits'] {
  return {
    maximumLength: description.length.maximum,
    threadMaximum: description.threadMaximum,
    hasImpressions: description.hasImpressions,
    counters: [...description.counters],
    counterLagMs: description.counterLagMs,
    rates: description.rates.map((rate) => ({ ...rate })),
  }
}
