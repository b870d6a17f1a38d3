/**
 * The proof of at most one effect on a real network: the engine as it is shipped carries out each
 * action, and each request that it makes meets each fault in turn, or the death of its process. The
 * network is then looked at without the connector.
 *
 *   for (const { name, run } of exactlyOnceCases(options)) it(name, run)
 */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actions } from '../../src/core/action.ts'
import type { Action } from '../../src/core/action.ts'
import type { WriteClass } from '../../src/core/capabilities.ts'
import type { State } from '../../src/core/states.ts'
import type { Description } from '../../src/platform/platform.ts'
import { shortForm } from './exactly-once/short-form.ts'
import { isSendingStill, planAction, runAction } from './exactly-once/run-action.ts'
import type { ActionTask, LiveAccount } from './exactly-once/run-action.ts'

export type { LiveAccount } from './exactly-once/run-action.ts'

/** What can happen to a request; see `fault-proxy.ts`, which can do them all over HTTP. */
export const liveFaults = [
  'refuse',
  'stall',
  'error_before',
  'rate_limited',
  'commit_then_drop',
  'commit_then_stall',
  'commit_then_5xx',
  'commit_then_malformed',
] as const
export type LiveFault = (typeof liveFaults)[number]

export interface ExactlyOnceOptions {
  /** What the connector says of the account; it decides what is tried and what is expected. */
  readonly description: Description
  readonly faults: readonly LiveFault[]
  /** Fresh for every case: a network, an account, and eyes that do not use the connector. */
  open(): Promise<ExactlyOnceWorld>
}

export interface ExactlyOnceWorld extends AsyncDisposable {
  /** Its requests go where `arm` can get at them. */
  readonly account: LiveAccount
  /** The owner publishes a post by hand. */
  publish(text: string): Promise<string>
  /** How often the network shows a text: as the post's own after an edit, else as a reply. */
  countVisible(action: Action, remoteId: string, text: string): Promise<number>
  /** The n-th request from now on, from 1, meets the fault. */
  arm(fault: LiveFault, nth: number): LiveFaultPoint
}

export interface LiveFaultPoint {
  /** Resolves when the request has met the fault, and the network has done its part of it. */
  readonly met: Promise<void>
  readonly isMet: boolean
  /** Whether the request that met it was one that makes something visible. */
  isWrite(): boolean
  disarm(): void
}

export interface ExactlyOnceCase {
  readonly name: string
  run(): Promise<void>
}

/** How the process that carries out the action ends. */
type Ending = 'lives' | 'killed'

export function exactlyOnceCases(options: ExactlyOnceOptions): readonly ExactlyOnceCase[] {
  return actions.flatMap((action) => {
    const ability = options.description.actions[action]
    if (!ability.supported) return []
    if (action === 'thread' && process.env[shortForm] !== undefined) return []
    const caseOf = (fault: LiveFault, ending: Ending): ExactlyOnceCase => ({
      name:
        ending === 'lives'
          ? `${action}: ${fault} at each request`
          : `${action}: the process dies at each request, ${fault} at the network`,
      run: async () => {
        const writeClass = classAfter(ending, ability.writeClass, options.description)
        await tryEachRequest(options, { action, writeClass, fault, ending })
      },
    })
    const living = options.faults.map((fault) => caseOf(fault, 'lives'))
    return living.concat(options.faults.filter(isStall).map((fault) => caseOf(fault, 'killed')))
  })
}

/** Nobody but the process that sent something knows whether a window is still open. */
function classAfter(
  ending: Ending,
  writeClass: WriteClass,
  { deduplicatesForMs }: Description,
): WriteClass {
  const isLimited = writeClass === 'A' && deduplicatesForMs !== null
  return ending === 'killed' && isLimited ? 'B' : writeClass
}

interface Trial {
  readonly action: Action
  readonly writeClass: WriteClass
  readonly fault: LiveFault
  readonly ending: Ending
}

/** More requests than any action makes: whoever gets there goes round in circles. */
const mostRequests = 60

/** Goes on until the action is over before the fault's turn has come. */
async function tryEachRequest(options: ExactlyOnceOptions, trial: Trial): Promise<void> {
  await using world = await options.open()
  let writes = 0
  for (let nth = 1; nth <= mostRequests; nth += 1) {
    const point = await tryOnce(world, options.description, trial, nth)
    if (point === null) {
      assert.ok(writes > 0, 'No write met the fault')
      return
    }
    if (point.isWrite()) writes += 1
  }
  assert.fail(`The action made more than ${mostRequests} requests`)
}

/** Null where the action was over before it met the fault. */
async function tryOnce(
  world: ExactlyOnceWorld,
  description: Description,
  trial: Trial,
  nth: number,
): Promise<LiveFaultPoint | null> {
  const { action, ending, fault } = trial
  const folder = await mkdtemp(join(tmpdir(), 'exactly-once-'))
  try {
    const task = { account: world.account, ledgerPath: join(folder, 'ledger.db') }
    const remoteId = await world.publish(`A post for ${action} with ${fault} at ${nth}, ${ending}`)
    const texts = textsFor(action, description, `${fault} at ${nth}, ${ending}`)
    await planAction(task, { remoteId, action, texts })
    const point = world.arm(fault, nth)
    const isSending = ending === 'killed' && (await killAt(task, point))
    const state = await (ending === 'killed' ? runInProcess(task) : runAction(task))
    point.disarm()
    const visible: number[] = []
    for (const text of texts) visible.push(await world.countVisible(action, remoteId, text))
    requireOnce(trial, { point, isSending, state, visible }, `${fault} at request ${nth}`)
    return point.isMet ? point : null
  } finally {
    await rm(folder, { recursive: true })
  }
}

function textsFor(action: Action, description: Description, what: string): readonly string[] {
  if (action !== 'thread') return [`What do you think? (${what})`]
  const count = Math.min(3, description.threadMaximum)
  return Array.from({ length: count }, (_, index) => `Part ${index + 1} (${what})`)
}

const isStall = (fault: LiveFault): boolean => fault === 'stall' || fault === 'commit_then_stall'

interface Result {
  readonly point: LiveFaultPoint
  /** The process was killed while the ledger had a send of unknown end. */
  readonly isSending: boolean
  readonly state: State
  readonly visible: readonly number[]
}

function requireOnce(
  { writeClass, fault, ending }: Trial,
  { point, isSending, state, visible }: Result,
  where: string,
): void {
  const shown = `${where}: ${state}, visible ${visible.join(', ')} times`
  assert.ok(
    visible.every((count) => count <= 1),
    shown,
  )
  // Nothing hangs below a post that is not there.
  assert.deepEqual(
    visible,
    visible.toSorted((a, b) => b - a),
    shown,
  )
  const isWrite = point.isMet && point.isWrite()
  const isOpen = ending === 'killed' ? isSending : isWrite && fault !== 'rate_limited'
  const hasLanded = isWrite && fault.startsWith('commit_')
  const mayAsk = isOpen && (writeClass === 'C' || (writeClass === 'B' && !hasLanded))
  assert.equal(state, mayAsk ? 'needs_attention' : 'success', shown)
  if (state === 'success') assert.ok(!visible.includes(0), shown)
}

/**
 * Starts a process and kills it when its request has met the fault, if that ever happens. True
 * where it left a send behind of which the ledger cannot know the end.
 */
async function killAt(task: ActionTask, point: LiveFaultPoint): Promise<boolean> {
  const child = start(task)
  await Promise.race([point.met, child.ended])
  child.kill()
  await child.ended
  return isSendingStill(task)
}

async function runInProcess(task: ActionTask): Promise<State> {
  const { code, output, complaints } = await start(task).ended
  assert.equal(code, 0, complaints)
  return output as State
}

interface ChildEnd {
  readonly code: number | null
  readonly output: string
  readonly complaints: string
}

function start(task: ActionTask): { readonly ended: Promise<ChildEnd>; kill(): void } {
  const path = join(import.meta.dirname, 'exactly-once', 'worker.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path], {
    // Not as an argument: those can be read by everyone on the machine.
    env: { ...process.env, EXACTLY_ONCE_TASK: JSON.stringify(task) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let complaints = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    output,
    complaints,
  }))
  return { ended, kill: () => void child.kill('SIGKILL') }
}
