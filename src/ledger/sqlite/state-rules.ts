/**
 * Owns the rules of an action's life as SQL, made from the core's table of states. A statement that
 * breaks one is refused by the database itself, whoever wrote it (I7, I8).
 */

import { isOpen, states, transitions } from '../../core/states.ts'
import type { State } from '../../core/states.ts'
import { dueStates } from '../store.ts'

/**
 * True where the column holds one of the states. An IN over more than two texts would make SQLite
 * build a table of them for every row that is written.
 */
export function isOneOf(column: string, of: readonly State[]): string {
  return `(${of.map((state) => `${column} = '${state}'`).join(' OR ')})`
}

function endRule(state: State): string {
  return `WHEN '${state}' THEN ended_at IS ${isOpen(state) ? '' : 'NOT '}NULL`
}

/** For the table itself: known states only, and an end exactly where the state is an end. */
export const stateCheck = `CHECK (CASE state
    ${states.map(endRule).join('\n    ')}
    ELSE false END)`

const isLegalMove = `CASE OLD.state
    ${states
      .filter((from) => transitions[from].length > 0)
      .map((from) => `WHEN '${from}' THEN ${isOneOf('NEW.state', transitions[from])}`)
      .join('\n    ')}
    ELSE false END`

/** What an action is about never changes; another one is another row. */
const identity = [
  'id',
  'key',
  'post_id',
  'account_id',
  'platform',
  'action',
  'tier',
  'generation',
  'planned_at',
  'undoes',
]

/** All that an erased account's ended rows keep. */
const kept = [
  ...identity,
  'state',
  'policy',
  'score',
  'text_hash',
  'revision',
  'expires_at',
  'notice_at',
  'due_at',
  'token',
  'lease_until',
  'first_claimed_at',
  'attempts',
  'may_land_until',
  'ended_at',
  'fault',
  'version',
]

const isErased = `EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND status = 'erased')`

const differs = (column: string) => `NEW.${column} IS NOT OLD.${column}`

/** Erasing an account takes texts and outcomes away, also from rows that have ended. */
function onlyErases(columns: readonly string[], more = ''): string {
  return `(NEW.text IS NULL AND NEW.outcome IS NULL
    AND NOT (${columns.map(differs).join(' OR ')})${more}
    AND ${isErased})`
}

function endRuleTrigger(exception: string): string {
  return `CREATE TRIGGER actions_end_for_good BEFORE UPDATE ON actions
  WHEN OLD.ended_at IS NOT NULL AND NOT ${exception}
BEGIN
  SELECT RAISE(ABORT, 'an action that has ended never changes');
END;`
}

/** A fault without its words, which may quote the text. */
export const erasedFault = (column: string) => `json_set(${column}, '$.detail', '')`

/** The same law, in which the words of a fault may go too. */
export const endTriggerWithFaults = endRuleTrigger(
  onlyErases(
    kept.filter((column) => column !== 'fault'),
    `
    AND (NEW.fault IS OLD.fault OR NEW.fault IS ${erasedFault('OLD.fault')})`,
  ),
)

export const stateTriggers = `
CREATE TRIGGER actions_follow_the_table BEFORE UPDATE OF state ON actions
  WHEN NEW.state <> OLD.state AND NOT ${isLegalMove}
BEGIN
  SELECT RAISE(ABORT, 'an action cannot go from ' || OLD.state || ' to ' || NEW.state);
END;

${endRuleTrigger(onlyErases(kept))}

CREATE TRIGGER actions_keep_their_subject BEFORE UPDATE OF ${identity.join(', ')} ON actions
  WHEN ${identity.map(differs).join(' OR ')}
BEGIN
  SELECT RAISE(ABORT, 'what an action is about never changes');
END;

CREATE TRIGGER actions_freeze_their_text BEFORE UPDATE OF text, text_hash, revision ON actions
  WHEN OLD.first_claimed_at IS NOT NULL
    AND (${['text', 'text_hash', 'revision'].map(differs).join(' OR ')})
    AND NOT (NEW.text IS NULL AND NEW.text_hash IS OLD.text_hash
      AND NEW.revision IS OLD.revision AND ${isErased})
BEGIN
  SELECT RAISE(ABORT, 'the text of an action is frozen at its first claim');
END;

CREATE TRIGGER actions_stay BEFORE DELETE ON actions
BEGIN
  SELECT RAISE(ABORT, 'an action is never deleted');
END;
`

/** A query uses an index over some states only where it says the same about them. */
export const canExpire = isOneOf('state', dueStates.expire)
export const canBeNoticed = isOneOf('state', dueStates.notice)
