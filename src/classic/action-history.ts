/**
 * Owns the records in memory, in file order, with what is asked of them at hand: by key, by post,
 * and those that stand under a key which is not their own. It changes only after the file has.
 */

import { tiers } from '../core/action.ts'
import type { ForeignKey } from '../core/decision-input.ts'
import type { PastAction } from '../core/history.ts'
import { actionKey } from '../core/key.ts'
import { classicPolicy } from '../core/policies/classic.ts'
import type { HistoryFile } from './history-file.ts'
import { HistoryFileError } from './history-file-error.ts'
import { writeRecord } from './stored-record.ts'
import type { RecordDraft, StoredRecord } from './stored-record.ts'

/** What a caller reports; which attempt it was is for the history to say. */
export type OutcomeReport = Omit<RecordDraft, 'attempts'>

/** A record's places, which never change, and what stands there now. */
interface Row {
  readonly place: number
  readonly placeInPost: number
  record: StoredRecord
}

const noActions: readonly PastAction[] = []
const noKeys: readonly ForeignKey[] = []

export class ActionHistory {
  readonly #file: HistoryFile
  /** What a save writes, in file order. */
  readonly #texts: string[] = []
  /** The first row of each key: to persist or to retry, the original looks no further. */
  readonly #firstByKey = new Map<string, Row>()
  readonly #actionsByPost = new Map<string, PastAction[]>()
  /**
   * By key, the rows whose key was not made of their own post, action and tier. Only among these
   * can be one that holds another post's key, and usually there are none.
   */
  readonly #strays = new Map<string, Row[]>()

  constructor(file: HistoryFile) {
    this.#file = file
    for (const record of file.load()) this.#append(record)
  }

  /** The post's records as the guards see them, in file order. */
  actionsOf(postId: string): readonly PastAction[] {
    return this.#actionsByPost.get(postId) ?? noActions
  }

  /** Records of other posts under a key of this one: the original finds duplicates by key alone. */
  foreignKeysOf(postId: string): readonly ForeignKey[] {
    if (this.#strays.size === 0) return noKeys
    const found: ForeignKey[] = []
    for (const tier of tiers) {
      for (const action of classicPolicy.ladder[tier]) {
        for (const { record } of this.#strays.get(actionKey(postId, action, tier)) ?? []) {
          if (record.postId !== postId) found.push(record.past)
        }
      }
    }
    return found
  }

  firstOf(key: string): StoredRecord | undefined {
    return this.#firstByKey.get(key)?.record
  }

  /** Saves an outcome under its key. Where that fails it throws, and nothing has changed. */
  persist(report: OutcomeReport): StoredRecord {
    const row = this.#firstByKey.get(report.key)
    if (row === undefined) {
      const record = writeRecord({ ...report, attempts: 1 })
      this.#file.save([...this.#texts, record.text])
      this.#append(record)
      return record
    }
    const record = this.#nextAttempt(row.record, report)
    this.#file.save(this.#texts.with(row.place, record.text))
    row.record = record
    this.#texts[row.place] = record.text
    this.#ownActions(record.postId)[row.placeInPost] = record.past
    return record
  }

  /** A known key keeps its post, action and tier, whatever the report says they are. */
  #nextAttempt(record: StoredRecord, report: OutcomeReport): StoredRecord {
    const { postId, past } = record
    const attempts = record.attempts + 1
    if (!Number.isSafeInteger(attempts)) {
      const problem = `attempts of key ${report.key} is ${record.attempts}, too odd to count on`
      throw new HistoryFileError(this.#file.path, null, problem, 'nothing was recorded: correct it')
    }
    return writeRecord({ ...report, postId, action: past.action, tier: past.tier, attempts })
  }

  #append(record: StoredRecord): void {
    const { postId, past } = record
    const actions = this.#ownActions(postId)
    const row: Row = { place: this.#texts.length, placeInPost: actions.length, record }
    this.#texts.push(record.text)
    actions.push(past)
    if (!this.#firstByKey.has(past.key)) this.#firstByKey.set(past.key, row)
    if (past.key === actionKey(postId, past.action, past.tier)) return
    const strays = this.#strays.get(past.key)
    if (strays === undefined) this.#strays.set(past.key, [row])
    else strays.push(row)
  }

  #ownActions(postId: string): PastAction[] {
    const known = this.#actionsByPost.get(postId)
    if (known !== undefined) return known
    const actions: PastAction[] = []
    this.#actionsByPost.set(postId, actions)
    return actions
  }
}
