/** The commands that fast-check draws: which call, by which client, on which of the rows. */

import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { actions } from '../../src/core/index.ts'
import { minuteMs, secondMs } from '../../src/core/duration.ts'
import * as calls from './calls.ts'
import type { Model, ModelAction, Send } from './ledger-model.ts'
import { limits } from './model-policy.ts'
import { look } from './real.ts'
import type { Real } from './real.ts'
import { verify, verifyRestart } from './verify.ts'

type LedgerCommand = fc.AsyncCommand<Model, Real>

/** The last call whose answer can have been lost, for each run. */
const lastCalls = new WeakMap<Model, calls.Repeatable>()

/** Makes a command that looks at everything once it is done. */
function command(
  name: string,
  client: number,
  check: (model: Readonly<Model>) => boolean,
  run: (model: Model, real: Real) => Promise<calls.Repeatable | null | void>,
): LedgerCommand {
  return {
    check,
    run: async (model, real) => {
      const last = (await run(model, real)) ?? null
      if (last === null) lastCalls.delete(model)
      else lastCalls.set(model, last)
      await verify(model, real.client(client + 1))
    },
    toString: () => `${name} by ${client}`,
  }
}

const client = fc.nat({ max: 2 })
const pick = fc.nat({ max: 999 })
const always = () => true

function choose<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

/** Most plans and claims come after a fresh look, or few would get past the guards. */
const fresh = fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false))

const plan = fc
  .record({ client, pick, fresh, kind: fc.constantFrom(...actions) })
  .map(({ client: by, pick: index, fresh: looks, kind }) =>
    command(`plan ${kind} on post ${index % 4}`, by, always, async (model, real) => {
      const post = choose(model.posts, index)
      if (looks) await look(real.client(by), post, true)
      return calls.plan(model, real.client(by), post, kind)
    }),
  )

const claimable = (model: Readonly<Model>) => model.in('planned', 'approved', 'waiting')

const claim = fc.record({ client, pick, fresh }).map(({ client: by, pick: index, fresh: looks }) =>
  command(
    'claim',
    by,
    (model) => model.actions.length > 0,
    async (model, real) => {
      const from = claimable(model)
      const action = choose(from.length === 0 ? model.actions : from, index)
      if (looks) await look(real.client(by), action.post, true)
      return calls.claim(model, real.client(by), action)
    },
  ),
)

const begin = fc.record({ client, pick }).map(({ client: by, pick: index }) =>
  command(
    'begin',
    by,
    (model) => beginnable(model).length > 0,
    async (model, real) => calls.begin(model, real.client(by), choose(beginnable(model), index)),
  ),
)

/** Whoever holds a claim begins no second send while one is under way. */
function beginnable(model: Readonly<Model>): readonly ModelAction[] {
  return model.in('running').filter(({ sends }) => !sends.some(({ told }) => told === 'pending'))
}

/** The newest send mostly, and now and then an old one whose answer comes late. */
function sendOf(model: Readonly<Model>, index: number, isLate: boolean) {
  const all = model.actions.flatMap((action) => action.sends.map((send) => ({ action, send })))
  const pending = all.filter(({ send }) => send.told === 'pending')
  return choose(isLate || pending.length === 0 ? all : pending, index)
}

const hasSends = (model: Readonly<Model>) => model.actions.some(({ sends }) => sends.length > 0)

const settle = fc
  .record({ client, pick, isLate: fc.boolean(), answer: fc.constantFrom(...calls.answers) })
  .map(({ client: by, pick: index, isLate, answer }) =>
    command(
      `settle ${answer}`,
      by,
      (model) => {
        if (!hasSends(model)) return false
        const { action, send } = sendOf(model, index, isLate)
        return calls.isHonest(action, send, answer)
      },
      async (model, real) => {
        const { action, send } = sendOf(model, index, isLate)
        return calls.settle(model, real.client(by), action, send, answer)
      },
    ),
  )

const renew = fc.record({ client, pick, isOwn: fc.boolean() }).map((drawn) =>
  command(
    'renew',
    drawn.client,
    (model) => model.in('running').length > 0,
    async (model, real) => {
      const action = choose(model.in('running'), drawn.pick)
      const ledger = real.client(drawn.client)
      const now = await ledger.now()
      const token = drawn.isOwn ? (action.token ?? '') : 'token-of-nobody'
      const renewed = await ledger.renew({ actionId: action.id, token, leaseMs: limits.leaseMs })
      assert.equal(renewed, drawn.isOwn && now < action.leaseUntil)
      if (renewed) action.leaseUntil = Math.max(action.leaseUntil, now + limits.leaseMs)
    },
  ),
)

const expire = client.map((by) =>
  command('expire', by, always, async (model, real) => calls.expire(model, real.client(by))),
)

const reconcile = fc
  .record({ client, pick, finding: fc.constantFrom(...calls.findings) })
  .map(({ client: by, pick: index, finding }) =>
    command(
      `reconcile ${finding}`,
      by,
      (model) => model.in('unknown').length > 0,
      async (model, real) =>
        calls.reconcile(model, real.client(by), choose(model.in('unknown'), index), finding),
    ),
  )

const decide = fc
  .record({ client, pick, decision: fc.constantFrom(...calls.decisions) })
  .map(({ client: by, pick: index, decision }) =>
    command(
      decision,
      by,
      (model) => model.actions.length > 0,
      async (model, real) => {
        const asked = model.in('awaiting_approval')
        const from = asked.length > 0 ? asked : model.actions
        return calls.decide(model, real.client(by), choose(from, index), decision)
      },
    ),
  )

const attend = fc
  .record({ client, pick, landed: fc.boolean() })
  .map(({ client: by, pick: index, landed }) =>
    command(
      `attend ${landed}`,
      by,
      (model) => model.in('needs_attention').length > 0,
      async (model, real) =>
        calls.attend(model, real.client(by), choose(model.in('needs_attention'), index), landed),
    ),
  )

const why = { until: null, reason: 'a pause', by: 'anna' }

const pause = fc.record({ client, pick }).map(({ client: by, pick: index }) =>
  command(`pause ${index % 3}`, by, always, async (model, real) => {
    const ledger = real.client(by)
    const target = index % 3 === 0 ? 'everything' : choose(model.posts, index).accountId
    const paused =
      target === 'everything'
        ? await ledger.pause({ scope: 'everything', target: '', ...why })
        : await ledger.pause({ scope: 'account', target, ...why })
    model.paused.add(target)
    const isMeant = ({ post }: ModelAction) => target === 'everything' || post.accountId === target
    const inFlight = model.in('running').filter(isMeant)
    assert.deepEqual(
      paused.map(({ id }) => id),
      inFlight.map(({ id }) => id).toSorted(),
    )
  }),
)

const resume = client.map((by) =>
  command(
    'resume',
    by,
    (model) => model.paused.size > 0,
    async (model, real) => {
      for (const target of model.paused) {
        const isAll = target === 'everything'
        const scope = isAll ? 'everything' : 'account'
        assert.ok(await real.client(by).resume(scope, isAll ? '' : target))
      }
      model.paused.clear()
    },
  ),
)

/** Mostly so short that a claim survives it, now and then so long that everything runs out. */
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 15 * secondMs }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 2 * limits.leaseMs }) },
  { weight: 2, arbitrary: fc.constantFrom(limits.leaseMs, limits.deadlineMs, secondMs) },
  { weight: 3, arbitrary: fc.integer({ min: minuteMs, max: 10 * minuteMs }) },
  { weight: 2, arbitrary: fc.integer({ min: 10 * minuteMs, max: 90 * minuteMs }) },
  { weight: 2, arbitrary: fc.integer({ min: -30 * minuteMs, max: -1 }) },
)

const advance = steps.map((durationMs) =>
  command(`advance ${durationMs} ms`, 0, always, async (model, real) => {
    real.clock.advance(durationMs)
    model.see(await real.client(0).now())
  }),
)

const recover = fc
  .record({ client, pick })
  .map(({ client: by, pick: index }) =>
    command(`post ${index % 4} recovers`, by, always, async (model, real) =>
      look(real.client(by), choose(model.posts, index), false),
    ),
  )

/** The owner replies by other means, just now or some minutes ago. */
const ownReply = fc
  .record({ client, pick, agoMs: fc.integer({ min: 0, max: 25 * minuteMs }) })
  .map(({ client: by, pick: index, agoMs }) =>
    command(`own reply on post ${index % 4}`, by, always, async (model, real) => {
      const { id: postId } = choose(model.posts, index)
      const at = (await real.client(by).now()) - agoMs
      const remoteId = model.name('reply')
      await real.client(by).recordOwnReplies([{ postId, remoteId, at }])
      model.ownReplies.set(postId, [...(model.ownReplies.get(postId) ?? []), at])
    }),
  )

const reopen = client.map((by) =>
  command('restart', by, always, async (model, real) => verifyRestart(model, real)),
)

/** The answer to the last call was lost: the same call again gets the same answer. */
const repeat = client.map((by) =>
  command(
    'repeat',
    by,
    (model) => lastCalls.has(model as Model),
    async (model, real) => {
      const last = lastCalls.get(model)
      if (last === undefined) return null
      const answer = await last.call(real.client(by))
      assert.deepEqual(answer, last.answer, 'another answer to the same call')
      return last
    },
  ),
)

/** Every client claims the same action with a token of its own, at once. */
const raceClaims = pick.map((index) =>
  command(
    'all claim',
    0,
    (model) => claimable(model).length > 0,
    async (model, real) => {
      const action = choose(claimable(model), index)
      await look(real.client(0), action.post, true)
      const commands = [0, 1, 2].map(() => calls.claimCommand(action, model.name('token')))
      const results = await Promise.all(commands.map((one, by) => real.client(by).claim(one)))
      for (const kind of ['claimed', 'ended']) {
        const count = results.filter((result) => result.kind === kind).length
        assert.ok(count <= 1, `${kind} by several`)
      }
      for (const [by, result] of results.entries()) {
        calls.claimAnswered(model, action, commands[by]?.token ?? '', result)
      }
    },
  ),
)

/** Every client plans another action on the same post, at once. */
const racePlans = pick.map((index) =>
  command('all plan', 0, always, async (model, real) => {
    const post = choose(model.posts, index)
    await look(real.client(0), post, true)
    const commands = actions.map((kind) => calls.planCommand(model, post, kind))
    const results = await Promise.all(commands.map((one, by) => real.client(by).plan(one)))
    for (const result of results) if (result.kind === 'planned') model.planned(result.action, post)
  }),
)

/** The holder settles while another frees the claim: one of the two is first. */
const raceSettle = fc
  .record({ pick, answer: fc.constantFrom('success', 'waiting', 'unknown') })
  .map(({ pick: index, answer }) =>
    command(
      `settle ${answer} and expire at once`,
      0,
      (model) => sending(model).length > 0,
      async (model, real) => {
        const { action, send } = choose(sending(model), index)
        const now = await real.client(0).now()
        const one = calls.settleCommand(action, send, answer, now)
        const [result] = await Promise.all([
          real.client(0).settle(one),
          real.client(1).expire(500, 0),
        ])
        if (result.kind === 'late') calls.expireDue(model, now)
        calls.settleAnswered(model, action, send, answer, result, now)
        calls.expireDue(model, now)
      },
    ),
  )

function sending(model: Readonly<Model>): readonly { action: ModelAction; send: Send }[] {
  return model
    .in('running')
    .flatMap((action) =>
      action.sends.filter(({ told }) => told === 'pending').map((send) => ({ action, send })),
    )
}

/** Takes an open action the next step of its way, so that runs get far. */
const drive = fc
  .record({ client, pick, answer: fc.constantFrom(...calls.answers) })
  .map(({ client: by, pick: index, answer }) =>
    command(
      `drive on, ${answer}`,
      by,
      (model) => model.in(...drivable).length > 0,
      async (model, real) => {
        const action = choose(model.in(...drivable), index)
        const ledger = real.client(by)
        if (action.state === 'awaiting_approval') {
          return calls.decide(model, ledger, action, 'approve')
        }
        if (action.state !== 'running') {
          await look(ledger, action.post, true)
          return calls.claim(model, ledger, action)
        }
        const send = action.sends.find(({ told }) => told === 'pending')
        if (send === undefined) return calls.begin(model, ledger, action)
        const honest = calls.isHonest(action, send, answer) ? answer : 'unknown'
        return calls.settle(model, ledger, action, send, honest)
      },
    ),
  )

const drivable = ['awaiting_approval', 'planned', 'approved', 'waiting', 'running'] as const

/** Drawn evenly, a run would mostly plan and wait; what leads on comes more often. */
export function ledgerCommands(maxCommands: number) {
  const often = [plan, claim, begin, settle, advance, drive, drive, drive]
  const sometimes = [reconcile, reconcile, decide, expire, resume, repeat, raceSettle]
  const rarely = [attend, renew, pause, recover, ownReply, reopen, raceClaims, racePlans]
  const drawn = [...often, ...often, ...often, ...sometimes, ...sometimes, ...rarely]
  return fc.commands(drawn, { maxCommands, size: 'max' })
}
