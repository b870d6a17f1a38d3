/** Owns the answer to "until when?", which every hold must give. */

import type { Instant } from './instant.ts'

/** What has to happen before a hold can end, where it is not a matter of time. */
export type HoldEvent =
  /** A person decides. */
  | 'approval'
  /** Someone lifts the pause. */
  | 'resume'
  /** The post is looked at again with a newer sample. */
  | 'next_look'
  /** The open action on the post ends. */
  | 'action_ended'
  /** A newer sample shows other counters. */
  | 'next_sample'
  /** A person reviews whether the action is worth it. */
  | 'review'

export type Until =
  | { readonly kind: 'time'; readonly at: Instant }
  | { readonly kind: 'event'; readonly event: HoldEvent }
  | { readonly kind: 'never' }

export const never: Until = { kind: 'never' }

export function untilTime(at: Instant): Until {
  return { kind: 'time', at }
}

export function untilEvent(event: HoldEvent): Until {
  return { kind: 'event', event }
}
