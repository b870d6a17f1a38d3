/**
 * Owns the policy as sentences. What stands in braces is a field: a path into the policy and what
 * kind of value it is.
 */

import type { GuardName } from './draft.ts'

export type FieldKind = 'count' | 'score' | 'duration' | 'clock'

export interface SentenceGroup {
  readonly title: string
  readonly sentences: readonly string[]
}

export const groups: readonly SentenceGroup[] = [
  {
    title: 'What it looks at',
    sentences: [
      'A decision rests on the last {evidence.windowMs:duration}, on at least ' +
        '{evidence.minimumSamples:count} samples that span ' +
        '{evidence.minimumSpanMs:duration}.',
      'The newest sample may be {evidence.maximumStalenessMs:duration} old.',
      'It takes {looks.required:count} stalled looks in a row, from ' +
        '{looks.minimumSpacingMs:duration} to {looks.maximumGapMs:duration} apart.',
    ],
  },
  {
    title: 'How badly a post has stalled',
    sentences: [
      'Against past posts: tier 1 begins at a score of ' +
        '{tiers.age-rank.tier_1:score}, tier 2 at {tiers.age-rank.tier_2:score}, tier ' +
        '3 at {tiers.age-rank.tier_3:score}.',
      'By its rate, where too few past posts are known: tier 1 at ' +
        '{tiers.rate.tier_1:score}, tier 2 at {tiers.rate.tier_2:score}, tier 3 at ' +
        '{tiers.rate.tier_3:score}.',
    ],
  },
]

export const retrySentences: SentenceGroup = {
  title: 'When a send fails',
  sentences: [
    'It is tried at most {retry.maximumAttempts:count} times, from ' +
      '{retry.firstDelayMs:duration} to {retry.maximumDelayMs:duration} apart, for ' +
      '{retry.budgetMs:duration} in all.',
  ],
}

export interface GuardSentence {
  readonly guard: GuardName
  readonly sentence: string
  /** Without these nothing would keep an action from being sent twice or against a pause. */
  readonly isFixed?: true
}

export const guardSentences: readonly GuardSentence[] = [
  { guard: 'paused', sentence: 'Nothing is sent while it is paused.', isFixed: true },
  {
    guard: 'never_touch',
    sentence: 'A post that the owner said never to touch is not touched.',
    isFixed: true,
  },
  {
    guard: 'post_age',
    sentence:
      'Only posts from {guards.post_age.fromMs:duration} to ' +
      '{guards.post_age.toMs:duration} of age are acted on.',
  },
  { guard: 'open_action', sentence: 'A post has one open action at a time.', isFixed: true },
  { guard: 'duplicate', sentence: 'A key is never used twice.', isFixed: true },
  {
    guard: 'window_frequency',
    sentence:
      'A post gets at most {guards.window_frequency.maximum:count} actions in ' +
      '{guards.window_frequency.windowMs:duration}.',
  },
  {
    guard: 'action_cooldown',
    sentence:
      'After a comment it rests from comments for ' +
      '{guards.action_cooldown.cooldownMs.comment:duration}, after an edit for ' +
      '{guards.action_cooldown.cooldownMs.edit:duration}, after a thread for ' +
      '{guards.action_cooldown.cooldownMs.thread:duration}.',
  },
  {
    guard: 'lifetime_maximum',
    sentence: 'A post gets at most {guards.lifetime_maximum.maximum:count} actions in its life.',
  },
  {
    guard: 'account_budget',
    sentence:
      'An account acts at most {guards.account_budget.perHour:count} times an hour ' +
      'and {guards.account_budget.perDay:count} times a day.',
  },
  {
    guard: 'platform_budget',
    sentence:
      'A network gets at most {guards.platform_budget.maximum:count} sends in ' +
      '{guards.platform_budget.windowMs:duration}.',
  },
  {
    guard: 'quiet_hours',
    sentence:
      'Nothing is sent from {guards.quiet_hours.from:clock} to ' +
      '{guards.quiet_hours.to:clock} in the account’s zone.',
  },
  {
    guard: 'rejected_before',
    sentence:
      'After a rejection the same action holds for ' +
      '{guards.rejected_before.holdMs:duration}; after ' +
      '{guards.rejected_before.maximum:count} of them for ever.',
  },
  {
    guard: 'expired_before',
    sentence:
      'After an approval ran out, a comment holds for ' +
      '{guards.expired_before.holdMs.comment:duration}, an edit for ' +
      '{guards.expired_before.holdMs.edit:duration}, a thread for ' +
      '{guards.expired_before.holdMs.thread:duration}.',
  },
  {
    guard: 'failed_before',
    sentence:
      'After a failure it holds for {guards.failed_before.firstHoldMs:duration}, ' +
      'twice as long each time, {guards.failed_before.maximum:count} times at most.',
  },
  {
    guard: 'futility',
    sentence: 'An action that showed no lift {guards.futility.maximum:count} times in a row stops.',
  },
  {
    guard: 'backlash',
    sentence:
      'A post with {guards.backlash.minimumReplies:count} replies or more, and ' +
      '{guards.backlash.repliesPerLike:count} to a like, is left alone.',
  },
  {
    guard: 'holdout',
    sentence: 'Some posts are held out at random, so that lift can be told from luck.',
  },
]

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
}

export interface FieldPart {
  readonly kind: 'field'
  readonly path: string
  readonly field: FieldKind
  /** The comma or stop right behind it. */
  readonly after: string
}

/** `at most {a.b:count} times` → text, field, text. */
export function partsOf(sentence: string): readonly (TextPart | FieldPart)[] {
  return sentence.split(/(\{[^}]+\}[,.;]?)/).flatMap((part): readonly (TextPart | FieldPart)[] => {
    const match = /^\{(.+):(count|score|duration|clock)\}([,.;]?)$/.exec(part)
    if (match === null) return part === '' ? [] : [{ kind: 'text', text: part }]
    const [, path = '', field, after = ''] = match
    return [{ kind: 'field', path, field: field as FieldKind, after }]
  })
}
