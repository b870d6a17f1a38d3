/** Accounts through the API: connecting, changing, testing and erasing them; pauses; policies. */

import { beforeEach, describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../src/core/duration.ts'
import { formatInstant } from '../src/core/instant.ts'
import { standardPolicy } from '../src/core/policies/standard.ts'
import { toAccountId } from '../src/core/ids.ts'
import type { AccountDetail, AccountTest, BegunSignIn } from '../src/server/schema/account.ts'
import type { LiftView } from '../src/server/schema/lift.ts'
import type { Paused, PauseView } from '../src/server/schema/pause.ts'
import type { PlatformView } from '../src/server/schema/platform.ts'
import type { DryRunView, PolicyDetail, PolicyView } from '../src/server/schema/policy.ts'
import { World } from './server/world.ts'

let world: World

beforeEach(async () => {
  world = await World.open()
})

const direct = (values: object) => ({
  kind: 'direct',
  platform: world.stage.network.platform.name,
  signIn: 'app-password',
  values,
})

describe('connecting', () => {
  test('the networks say how one signs in', async () => {
    const { body } = await world.get<{ items: PlatformView[] }>('/platforms')
    expect(body.items[0]?.signIns.map(({ kind, name }) => [kind, name])).toEqual([
      ['direct', 'app-password'],
      ['browser', 'browser'],
    ])
    expect(body.items[0]?.signIns[0]?.fields[1]).toMatchObject({ name: 'password', isSecret: true })
  })

  test('with what is entered seals it and begins in approve mode', async () => {
    const wish = direct({ handle: 'cat', password: 'secret' })
    const answer = await world.post<AccountDetail>('/accounts', wish)
    expect(answer.body).toMatchObject({
      handle: 'cat',
      mode: 'approve',
      policy: 'standard@1',
      hasCredentials: true,
      status: 'active',
    })
    expect(answer.body.capabilities.map(({ action }) => action)).toEqual([
      'comment',
      'edit',
      'thread',
    ])
    const stored = await world.ledger.getAccount(toAccountId(answer.body.id))
    expect(stored?.credentials).not.toBeNull()
    expect(JSON.stringify(stored)).not.toContain('secret')
    expect(answer.text).not.toContain(stored?.credentials ?? '')
  })

  test('the same identity again is the same account, signed in anew', async () => {
    const wish = direct({ handle: 'cat', password: 'secret' })
    const first = await world.post<AccountDetail>('/accounts', wish)
    await world.ledger.parkAccount(toAccountId(first.body.id), 'credentials', 'They died')
    const second = await world.post<AccountDetail>('/accounts', wish)
    expect(second.body).toMatchObject({ id: first.body.id, status: 'active' })
  })

  test('the same identity added twice at once is one account', async () => {
    await world.token('admin')
    const wish = direct({ handle: 'cat', password: 'secret' })
    const both = await Promise.all([1, 2].map(() => world.post('/accounts', wish)))
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
    const cats = (await world.ledger.listAccounts()).filter(({ handle }) => handle === 'cat')
    expect(cats).toHaveLength(1)
  })

  test('a wrong, missing or unknown value is named', async () => {
    const fields = async (wish: object) => {
      const answer = await world.post<{ errors?: { field: string }[] }>('/accounts', wish)
      expect(answer.status).toBe(400)
      return answer.body.errors?.map(({ field }) => field)
    }
    expect(await fields(direct({ handle: 'cat', password: 'no' }))).toEqual(['values.password'])
    expect(await fields(direct({ handle: 'cat' }))).toEqual(['values.password'])
    expect(await fields(direct({ handle: 'c', password: 'secret', x: '1' }))).toEqual(['values.x'])
    expect(await fields({ ...direct({}), platform: 'myspace' })).toEqual(['platform'])
    expect(await fields({ ...direct({}), signIn: 'browser' })).toEqual(['signIn'])
    const policy = { ...direct({ handle: 'c', password: 'secret' }), policy: 'none@1' }
    expect(await fields(policy)).toEqual(['policy'])
  })

  test('through the browser, once for each visit', async () => {
    const platform = world.stage.network.platform.name
    const begun = await world.post<BegunSignIn>('/accounts/sign-ins', {
      platform,
      signIn: 'browser',
    })
    const back = encodeURIComponent('http://localhost/sign-in/callback')
    expect(begun.body.url).toContain(back)
    const stored = await world.ledger.listItems('server-sign-ins', { after: null, limit: 9 })
    expect(JSON.stringify(stored)).not.toContain('verifier')
    const answer = 'http://localhost/sign-in/callback?code=dan'
    const finish = { state: begun.body.state, answer }
    const done = await world.post<AccountDetail>('/accounts/sign-ins/finish', finish)
    expect(done.body).toMatchObject({ handle: 'dan', hasCredentials: true })
    const again = await world.post('/accounts/sign-ins/finish', finish)
    expect(again.body).toMatchObject({ status: 400, errors: [{ field: 'state' }] })
  })

  test('a visit runs out', async () => {
    const platform = world.stage.network.platform.name
    const wish = { platform, signIn: 'browser' }
    const begun = await world.post<BegunSignIn>('/accounts/sign-ins', wish)
    await world.stage.clock.advance(16 * minuteMs)
    const finish = { state: begun.body.state, answer: 'http://localhost/?code=dan' }
    expect((await world.post('/accounts/sign-ins/finish', finish)).status).toBe(400)
  })

  test('again, after credentials died, takes only the same identity', async () => {
    await world.ledger.parkAccount(world.ann, 'credentials', 'They died')
    const path = `/accounts/${world.ann}/sign-in`
    const other = { signIn: 'app-password', values: { handle: 'eve', password: 'secret' } }
    expect((await world.post(path, other)).status).toBe(409)
    const same = { signIn: 'app-password', values: { handle: 'ann', password: 'secret' } }
    expect((await world.post(path, same)).body).toMatchObject({ status: 'active' })
  })
})

describe('an account', () => {
  test('is changed field by field', async () => {
    const change = { mode: 'auto', timeZone: 'Europe/Berlin', holdoutShare: 0.3 }
    const { body } = await world.call('PATCH', `/accounts/${world.ann}`, change)
    expect(body).toMatchObject({ ...change, policy: 'stage@1' })
  })

  test.each([
    [{ mode: 'yolo' }, 'mode'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ holdoutShare: 1.5 }, 'holdoutShare'],
    [{ policy: 'nothing@9' }, 'policy'],
    [{ policy: 'stage' }, 'policy'],
    [{ handle: 'other' }, 'handle'],
    [{ credentials: 'x' }, 'credentials'],
  ])('refuses %j and names the field', async (change, field) => {
    const answer = await world.call('PATCH', `/accounts/${world.ann}`, change)
    expect(answer.body).toMatchObject({ status: 400, errors: [{ field }] })
  })

  test('is tested by reading alone, and says what is wrong', async () => {
    const wish = direct({ handle: 'ann', password: 'secret' })
    await world.post(`/accounts/${world.ann}/sign-in`, wish)
    const signIn = { signIn: 'app-password', values: { handle: 'ann', password: 'secret' } }
    await world.post(`/accounts/${world.ann}/sign-in`, signIn)
    const good = await world.post<AccountTest>(`/accounts/${world.ann}/test`)
    expect(good.body).toMatchObject({ kind: 'ok', handle: 'ann' })
    world.stage.network.world.setCredentials('ann', 'changed')
    const bad = await world.post<AccountTest>(`/accounts/${world.ann}/test`)
    expect(bad.body).toMatchObject({ kind: 'failed', code: 'credentials' })
    expect(world.stage.effects()).toEqual([])
  })

  test('is erased: its texts are gone from every answer, also from kept ones', async () => {
    const row = await world.awaiting()
    const key = { headers: { 'idempotency-key': 'k-1' } }
    await world.post(`/actions/${row.id}/reject`, { reason: 'No' }, key)
    expect((await world.call('DELETE', `/accounts/${world.ann}`)).status).toBe(204)
    const { body } = await world.get<AccountDetail>(`/accounts/${world.ann}`)
    expect(body).toMatchObject({ status: 'erased', hasCredentials: false, capabilities: [] })
    for (const path of ['/posts', '/actions', '/audit', '/export/actions']) {
      expect((await world.get(path)).text).not.toContain('nobody sees')
    }
    const kept = await world.ledger.listItems('server-idempotency', { after: null, limit: 99 })
    expect(JSON.stringify(kept)).not.toContain('nobody sees')
    const change = await world.call('PATCH', `/accounts/${world.ann}`, { mode: 'auto' })
    expect(change.status).toBe(409)
  })
})

describe('a pause', () => {
  test('of everything stops sending, and resuming lets it go on', async () => {
    const row = await world.awaiting()
    const paused = await world.post<Paused>('/pauses', { scope: 'everything', reason: 'Storm' })
    expect(paused.body).toMatchObject({ pauses: [{ scope: 'everything', reason: 'Storm' }] })
    await world.post(`/actions/${row.id}/approve`, { textHash: row.textHash })
    await world.pass(10 * minuteMs)
    expect(world.stage.effects()).toEqual([])
    expect((await world.call('DELETE', '/pauses?scope=everything')).status).toBe(204)
    await world.pass(10 * minuteMs)
    expect(world.stage.effects()).toHaveLength(1)
    expect((await world.call('DELETE', '/pauses?scope=everything')).status).toBe(404)
  })

  test('of what is not there, without a target, or in the past is refused', async () => {
    const past = formatInstant((await world.ledger.now()) - hourMs)
    for (const [body, field] of [
      [{ scope: 'account', target: 'nobody' }, 'target'],
      [{ scope: 'platform', target: 'nowhere' }, 'target'],
      [{ scope: 'account' }, 'target'],
      [{ scope: 'everything', target: 'ann' }, 'target'],
      [{ scope: 'account', target: 'ann', until: past }, 'until'],
    ] as const) {
      const answer = await world.post('/pauses', body)
      expect(answer.body).toMatchObject({ status: 400, errors: [{ field }] })
    }
    expect((await world.get<{ items: PauseView[] }>('/pauses')).body.items).toEqual([])
  })
})

describe('policies', () => {
  test('are listed with the accounts they are in force for', async () => {
    const { body } = await world.get<{ items: PolicyView[] }>('/policies')
    expect(body.items).toEqual([
      { id: 'stage@1', name: 'stage', version: 1, accountIds: ['ann', 'bob'] },
      { id: 'standard@1', name: 'standard', version: 1, accountIds: [] },
    ])
  })

  test('a new version is stored; the same version with other values is not', async () => {
    const policy = { ...standardPolicy, version: 2 }
    const saved = await world.post<PolicyDetail>('/policies', { policy })
    expect(saved.body).toMatchObject({ id: 'standard@2', policy })
    const other = { ...policy, looks: { ...policy.looks, required: 5 } }
    expect((await world.post('/policies', { policy: other })).status).toBe(409)
    const got = await world.get<PolicyDetail>('/policies/standard@2')
    expect(got.body.policy).toEqual(policy)
    expect((await world.get('/policies/standard@3')).status).toBe(404)
  })

  test('a wrong one is named by its field, as an answer and as a refusal', async () => {
    const policy = { ...standardPolicy, tiers: { rate: { tier_1: 2, tier_2: 0.5, tier_3: 0.8 } } }
    const checked = await world.post('/policies/validate', { policy })
    expect(checked.body).toMatchObject({ kind: 'invalid', field: 'policy.tiers.rate.tier_1' })
    const refused = await world.post('/policies', { policy })
    expect(refused.body).toMatchObject({ errors: [{ field: 'policy.tiers.rate.tier_1' }] })
    const good = await world.post('/policies/validate', { policy: standardPolicy })
    expect(good.body).toEqual({ kind: 'valid', id: 'standard@1' })
  })

  test('a dry run says what would have been done, beside what is in force', async () => {
    for (let count = 0; count < 4; count += 1) {
      world.stage.publish(`Post ${count}`)
      await world.pass(3 * hourMs)
    }
    const never = {
      ...world.stage.policy,
      name: 'never',
      looks: { required: 50, minimumSpacingMs: 0, maximumGapMs: dayMs },
    }
    const wish = { policy: never, accountId: 'ann', days: 7 }
    const { body } = await world.post<DryRunView>('/policies/dry-run', wish)
    expect(body.report).toMatchObject({ policy: 'never@1', posts: 4, actions: 0 })
    expect(body.inForce?.actions).toBeGreaterThan(0)
    expect(body.outcomes.map(({ text }) => text)).toEqual(['Post 3', 'Post 2', 'Post 1', 'Post 0'])
    const recent = await world.post<DryRunView>('/policies/dry-run', { ...wish, days: 90 })
    expect(recent.body.more).toBe(false)
  })
})

describe('what was learnt', () => {
  test('is told for each horizon, and plainly as unproven', async () => {
    world = await World.open({ mode: 'auto', holdoutShare: 0.5 })
    for (let count = 0; count < 6; count += 1) world.stage.publish(`Post ${count}`)
    await world.pass(2 * dayMs)
    const { body } = await world.get<LiftView>('/lift')
    expect(body.pooled.lift).toMatchObject({ verdict: 'unproven', posts: 6, effect: null })
    expect(body.byAccount.map(({ name }) => name)).toEqual(['ann', 'bob'])
    expect((await world.get<LiftView>('/lift?horizon=7d')).body.pooled.leftOut.waiting).not.toEqual(
      {
        act: 0,
        holdout: 0,
      },
    )
    const one = await world.get<LiftView>('/lift?accountId=bob')
    expect(one.body.byAccount.map(({ name }) => name)).toEqual(['bob'])
    expect((await world.get('/lift?accountId=nobody')).status).toBe(404)
    expect((await world.get('/lift?horizon=1h')).status).toBe(400)
  })

  test('the band shows how past posts grew, once there are some', async () => {
    const empty = await world.get(`/baselines/${world.ann}`)
    expect(empty.body).toEqual({ accountId: 'ann', curves: 0, ownCurves: 0, band: [] })
    expect((await world.get('/baselines/nobody')).status).toBe(404)
  })
})
