/** I10: a damaged ledger stops the program, and is never taken for an empty one. */

import { minuteMs } from '../../src/core/duration.ts'
import type { Check, Scene } from './scene.ts'

/** What was under way when the damage showed may take this long to end. */
const stopsWithinMs = 5 * minuteMs

export function checkDamage(scene: Scene): Check {
  let most = { accounts: 0, posts: 0, actions: 0 }
  return {
    onRest() {
      for (const [process, at] of scene.fleet().toldOfDamage) {
        if (scene.time.now - at <= stopsWithinMs) continue
        const what = `process ${process.number} was told of the damage and works on`
        scene.report('I10', what)
        scene.fleet().toldOfDamage.delete(process)
      }
      const { accounts, posts, actions } = scene.rows
      const now = { accounts: accounts.size, posts: posts.size, actions: actions.size }
      if (now.accounts < most.accounts || now.posts < most.posts || now.actions < most.actions) {
        scene.report('I10', `of ${most.actions} actions ${now.actions} are left in the ledger`)
      }
      most = now
    },
  }
}
