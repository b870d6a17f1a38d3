/** Bugs that a ledger could have, planted on purpose: the model must find every one of them. */

import { actionKey } from '../../src/core/index.ts'
import { createLedger } from '../../src/ledger/index.ts'
import type {
  ActionRow,
  ActionView,
  ClaimView,
  Ledger,
  DecisionView,
  Store,
} from '../../src/ledger/index.ts'
import type { MakeLedger } from './real.ts'

/** A store that is another one but for some of its calls. */
function storeWith(store: Store, changes: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const replaced: unknown = Reflect.get(changes, name)
      if (replaced !== undefined) return replaced
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
}

/** Shows the steps of an action something else than what is stored. */
function seeing(store: Store, change: (view: ActionView) => ActionView): Store {
  return storeWith(store, {
    withAction: (id, step, platformMs) =>
      store.withAction(id, (view, tally) => step(change(view), tally), platformMs),
  })
}

/** Shows a claim something else than what is stored. */
function claiming(store: Store, change: (view: ClaimView) => ClaimView): Store {
  return storeWith(store, {
    withClaim: (id, reach, step) => store.withClaim(id, reach, (view) => step(change(view))),
  })
}

function withOneKey(row: ActionRow): ActionRow {
  return { ...row, key: actionKey(row.postId, row.action, row.tier) }
}

export const plantedBugs: Readonly<Record<string, MakeLedger>> = {
  'a claim that does not look at the token': (store) => {
    const ledger = createLedger(store)
    const claim: Ledger['claim'] = async (command) => {
      const result = await ledger.claim(command)
      const action = await ledger.getAction(command.actionId)
      if (result.kind !== 'taken' || action?.state !== 'running') return result
      const post = await ledger.getPost(action.postId)
      if (post === null) return result
      const attempts = await ledger.listAttempts(action.id)
      return { kind: 'claimed', at: await ledger.now(), action, post, attempts }
    }
    return { ...ledger, claim }
  },

  'a settlement that takes any token': (store) => {
    const ledger = createLedger(store)
    const settle: Ledger['settle'] = async (command) => {
      const row = await ledger.getAction(command.actionId)
      const attempts = await ledger.listAttempts(command.actionId)
      const open = attempts.findLast(({ result }) => result === 'pending')
      const stolen = { token: row?.token ?? '', attemptId: open?.id ?? null }
      return ledger.settle(open === undefined ? command : { ...command, ...stolen })
    }
    return { ...ledger, settle }
  },

  'a clock that goes back': (store, clock) => {
    const raw = () => ({ now: clock.now() })
    const late = claiming(store, (view) => ({ ...view, ...raw() }))
    return createLedger(
      storeWith(
        seeing(late, (view) => ({ ...view, ...raw() })),
        { now: async () => clock.now() },
      ),
    )
  },

  'an update that is lost': (store) => {
    let calls = 0
    return createLedger(
      storeWith(store, {
        withAction: (id, step, platformMs) =>
          store.withAction(
            id,
            (view, tally) => {
              const { result, changes } = step(view, tally)
              calls += 1
              return { result, changes: calls % 4 === 0 ? {} : changes }
            },
            platformMs,
          ),
      }),
    )
  },

  'a key that is used again': (store) => {
    const ledger = createLedger(store)
    return {
      ...ledger,
      plan: async (command) => {
        const result = await ledger.plan(command)
        return result.kind === 'planned'
          ? { kind: 'planned', action: withOneKey(result.action) }
          : result
      },
      listActions: async (filter, page) =>
        (await ledger.listActions(filter, page)).map((row) => withOneKey(row)),
    }
  },

  'guards that count from the wrong time': (store) => {
    const aged = <View extends DecisionView>(view: View): View => {
      const actions = view.actions.map((row) => Object.assign({}, row, { mayLandUntil: 0 }))
      return { ...view, actions }
    }
    const claims = claiming(store, aged)
    return createLedger(
      storeWith(claims, {
        withPost: (id, reach, step) => claims.withPost(id, reach, (view) => step(aged(view))),
      }),
    )
  },

  'a claim that forgets the owner’s own replies': (store) =>
    createLedger(claiming(store, (view) => ({ ...view, ownReplies: [] }))),

  // The plans are those of a version that reserved nothing; else they would be due apart.
  'a claim that forgets the account’s budget': (store) => {
    const claims = claiming(store, (view) => ({ ...view, accountTally: [] }))
    return createLedger(
      storeWith(claims, {
        withPost: (id, reach, step) =>
          claims.withPost(id, reach, (view) => step({ ...view, accountReserved: [] })),
      }),
    )
  },

  'a send that does not look for pauses': (store) =>
    createLedger(seeing(store, (view) => ({ ...view, pauses: [] }))),

  'a send that forgets those before it': (store) =>
    createLedger(seeing(store, (view) => ({ ...view, attempts: [] }))),

  'a lease that never ends': (store) =>
    createLedger(
      seeing(store, (view) => ({ ...view, action: { ...view.action, leaseUntil: Infinity } })),
    ),

  'a restart that forgets a row': (store) => {
    let opened = false
    return createLedger(
      storeWith(store, {
        listActions: async (filter, page) => {
          const rows = await store.listActions(filter, page)
          const forgets = !opened && rows.length > 3
          opened = true
          return forgets ? rows.slice(1) : rows
        },
      }),
    )
  },
}
