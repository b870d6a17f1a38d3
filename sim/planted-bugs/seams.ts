/** Owns the ways to change what passes a seam: a planted bug is one line of what is wrong. */

import type { Policy } from '../../src/core/policy.ts'
import type {
  ActionView,
  Changes,
  ClaimView,
  Ledger,
  DecisionView,
  Step,
  Store,
} from '../../src/ledger/index.ts'
import type { Description, Platform } from '../../src/platform/platform.ts'
import type { TappedStore } from '../auditor/tapped-store.ts'

/** The same ledger with some calls replaced. */
export function withCalls(calls: (ledger: Ledger) => Partial<Ledger>) {
  return (ledger: Ledger): Ledger => ({ ...ledger, ...calls(ledger) })
}

/** The engine works under another policy than the one that is stored. */
export function withPolicy(change: (policy: Policy) => Policy) {
  const changed = new Map<string, Policy>()
  return withCalls((ledger) => ({
    getPolicy: async (id) => {
      const known = changed.get(id)
      const policy = known ?? (await ledger.getPolicy(id))
      if (policy === null || known !== undefined) return policy
      changed.set(id, change(policy))
      return change(policy)
    },
  }))
}

type Guard = Policy['guards'][number]

/** Without one guard. */
export function withoutGuard(name: Guard['guard']): (policy: Policy) => Policy {
  return (policy) => ({ ...policy, guards: policy.guards.filter(({ guard }) => guard !== name) })
}

export interface ViewChange {
  readonly claim?: (view: ClaimView) => ClaimView
  readonly post?: <View extends DecisionView>(view: View) => View
  readonly action?: (view: ActionView) => ActionView
  /** What is written instead of what the step wanted. */
  readonly changes?: (changes: Changes, view: ActionView) => Changes
}

/** Steps see something else than what is there, or write something else than they wanted. */
export function withViews({ claim, post, action, changes }: ViewChange) {
  return (store: TappedStore): Store => {
    const same = <View>(view: View) => view
    const altered: Partial<Store> = {
      withClaim: (id, reach, step) =>
        store.withClaim(id, reach, (view) => step((claim ?? same)(view))),
      withPost: (id, reach, step) =>
        store.withPost(id, reach, (view) => step((post ?? same)(view))),
      readPosts: async (ids, reach) => {
        const views = await store.readPosts(ids, reach)
        return views.map((view) => (view === null ? null : (post ?? same)(view)))
      },
      withAction: (id, step, platformMs) =>
        store.withAction(
          id,
          (view, tally) => alter(step((action ?? same)(view), tally), view, changes),
          platformMs,
        ),
    }
    return delegate(store, altered)
  }
}

function alter<Result>(
  step: Step<Result>,
  view: ActionView,
  changes: ViewChange['changes'],
): Step<Result> {
  return changes === undefined ? step : { ...step, changes: changes(step.changes, view) }
}

/** All of the store's calls, but for those that are replaced. */
function delegate(store: TappedStore, altered: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const own = altered[name as keyof Store]
      if (own !== undefined) return own
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** The same connector with some calls replaced. */
export function withConnector(calls: (platform: Platform) => Partial<Platform>) {
  return (platform: Platform): Platform => {
    const same: Platform = {
      name: platform.name,
      describe: (connection) => platform.describe(connection),
      probe: (options) => platform.probe(options),
      discover: (options) => platform.discover(options),
      observe: (options) => platform.observe(options),
      prepare: (options) => platform.prepare(options),
      commit: (request) => platform.commit(request),
      locate: (request) => platform.locate(request),
      undo: (options) => platform.undo(options),
      classify: (error, call, now) => platform.classify(error, call, now),
    }
    return { ...same, ...calls(platform) }
  }
}

/** The connector says something else about its network. */
export function withDescription(change: (description: Description) => Description) {
  return withConnector((platform) => ({
    describe: (connection) => change(platform.describe(connection)),
  }))
}
