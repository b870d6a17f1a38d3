/** Owns writes as the engine asks for them, and what becomes of one that fails. */

import type { Action } from '../../src/core/action.ts'
import type { Fault } from '../../src/core/fault.ts'
import { actionKey } from '../../src/core/key.ts'
import type {
  CommitRequest,
  Connection,
  Observation,
  Platform,
  Preparation,
} from '../../src/platform/platform.ts'

/** A connector and the account it works for. */
export interface Subject {
  readonly platform: Platform
  readonly connection: Connection
  readonly clock: { now(): number }
}

export function callOptions({ connection }: Pick<Subject, 'connection'>) {
  return { connection, signal: new AbortController().signal }
}

export async function observeOne(subject: Subject, remoteId: string): Promise<Observation> {
  const options = { ...callOptions(subject), remoteIds: [remoteId] }
  const [observation] = await subject.platform.observe(options)
  if (observation === undefined) throw new Error(`${remoteId} was not read`)
  return observation
}

export async function prepareWrite(
  subject: Subject,
  action: Action,
  remoteId: string,
  text: string,
): Promise<Preparation> {
  const seen = await observeOne(subject, remoteId)
  const content =
    seen.kind === 'live'
      ? { text: seen.text, contentVersion: seen.contentVersion }
      : { text: null, contentVersion: null }
  const request = {
    key: actionKey(remoteId, action, 'tier_1'),
    action,
    target: { remoteId, ...content },
    texts: [text],
    segment: 0,
    previous: [],
    preparedAt: subject.clock.now(),
  }
  return subject.platform.prepare({ ...callOptions(subject), request })
}

export async function readyWrite(
  subject: Subject,
  action: Action,
  remoteId: string,
  text: string,
): Promise<CommitRequest> {
  const prepared = await prepareWrite(subject, action, remoteId, text)
  if (prepared.kind !== 'ready') throw new Error(`It is ${JSON.stringify(prepared)}`)
  const { token } = prepared
  return { ...callOptions(subject), key: actionKey(remoteId, action, 'tier_1'), token }
}

/** What a call that must fail is taken for. */
export async function faultOf(
  { platform, clock }: Subject,
  work: Promise<unknown>,
  call: 'read' | 'write',
): Promise<Fault> {
  try {
    await work
  } catch (error) {
    return platform.classify(error, call, clock.now())
  }
  throw new Error('It was to fail and did not')
}
