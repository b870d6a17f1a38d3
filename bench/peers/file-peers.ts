/**
 * Those that keep their records in one JSON file and write all of it for each action: the original
 * in Python, where it is given, and the classic drop-in, which also flushes it.
 */

import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SelfHealingExecutor } from '../../src/classic/index.ts'
import type { EvaluationResult } from '../../src/classic/index.ts'
import { questionOf } from '../core/history-sizes.ts'
import type { Original } from '../core/original.ts'
import { elapsedTime, processorTime } from '../core/rounds.ts'
import { readQuestions, recordsOf } from './workload.ts'
import type { Peer, Question, Size } from './workload.ts'

export interface FilePeers {
  readonly classic: Peer
  /** Null where it is not given. */
  readonly original: Peer | null
}

export async function openFilePeers(
  folder: string,
  size: Size,
  original: Original | null,
): Promise<FilePeers> {
  const path = join(folder, `history-${size}.json`)
  writeFileSync(path, JSON.stringify(recordsOf(size), null, 2))
  const executor = new SelfHealingExecutor({ persistencePath: path })
  if (original === null) return { classic: classicPeer(executor), original: null }
  // The driver works on a copy of that name, as it writes its own.
  copyFileSync(path, `${path}.original`)
  await requireSameAnswers(executor, original, path)
  return { classic: classicPeer(executor), original: originalPeer(original, path) }
}

function classicPeer(executor: SelfHealingExecutor): Peer {
  return {
    name: 'classic',
    decide: (count) => processorTime(count, (index) => void evaluate(executor, index))(),
    record: (count) => elapsedTime(count, () => record(executor))(),
    [Symbol.asyncDispose]: async () => {},
  }
}

function originalPeer(original: Original, path: string): Peer {
  return {
    name: 'original',
    decide: (count) => original.time('evaluate', path, count),
    record: (count) => original.time('persist', path, count),
    [Symbol.asyncDispose]: async () => {},
  }
}

function questionAt(index: number): Question {
  const question = readQuestions[index % readQuestions.length]
  if (question === undefined) throw new Error('There are no questions')
  return question
}

function evaluate(executor: SelfHealingExecutor, index: number): EvaluationResult {
  const { postId, metrics, now } = questionAt(index)
  return executor.evaluateAndPlan(postId, metrics, now)
}

/** Under the same key each time, as the original is asked to, so that no record is added. */
function record(executor: SelfHealingExecutor): void {
  const result = evaluate(executor, 0)
  if (!('idempotency_key' in result)) throw new Error('The workload must come to a key')
  const { postId, now } = questionAt(0)
  executor.persistOutcome({
    postId,
    actionType: 'edit',
    tier: 'tier_2',
    idempotencyKey: result.idempotency_key,
    status: 'failed',
    errorCode: 'timeout',
    now,
  })
}

/** A ratio between different answers means nothing. */
async function requireSameAnswers(
  executor: SelfHealingExecutor,
  original: Original,
  path: string,
): Promise<void> {
  for (const number of [0, 1, readQuestions.length - 1]) {
    const ours = JSON.stringify(evaluate(executor, number))
    const theirs = JSON.stringify(await original.answer(path, questionOf(number)))
    if (ours !== theirs) throw new Error(`Answers differ: ${ours} here, ${theirs} there`)
  }
}
