/**
 * The engine inside a program of your own, on a network of your own. An afternoon goes by at once,
 * on a clock that is moved by hand; with `systemClock` and `engine.start()` it would be real.
 */

import * as wind from 'secondwind'
import { createGuardedFetch } from 'secondwind/platform'
import { VirtualClock } from 'secondwind/testing'
import { connectNoticeboard } from './custom-connector/connector.ts'
import { Noticeboard } from './custom-connector/network.ts'

const clock = new VirtualClock()
await using network = new Noticeboard(clock)
network.addPerson('ann', 'a token')
const url = await network.start()
const text = `We open a second shop on Monday. The ovens come from a bakery that closed in spring.
Rye and sourdough will be there from the first day. What should we bake first?`
const post = network.pin('ann', text)

// Ten lines from here: a ledger, an account, an engine.
const ledger = wind.openMemoryLedger(clock)
await ledger.savePolicy(wind.standardPolicy)
const wish = { platform: 'noticeboard', handle: 'ann', mode: 'auto', holdoutShare: 0 } as const
await ledger.saveAccount(wind.newAccount(wind.toAccountId('ann'), clock.now(), wish))
const fetch = createGuardedFetch({ allowHosts: [new URL(url).host], clock })
const platforms = [connectNoticeboard(url, fetch)]
const content = wind.createTemplateContent({ tone: 'warm' })
const openCredentials = () => new wind.Secret('a token')
const parts = { ledger, platforms, clock, random: wind.systemRandom, content, openCredentials }
await using engine = wind.createEngine(parts)

for (let minutes = 0; minutes < 180; minutes += 5) {
  // Many walk past the notice, and hardly anybody stops.
  network.show(post, 60, minutes % 60 === 0 ? 1 : 0)
  await engine.tick()
  await clock.advance(5 * 60_000)
}

const types = ['action_planned', 'action_changed'] as const
const { events } = await ledger.readEvents(null, { types }, 100)
for (const { at, type, data } of events) console.log(wind.formatInstant(at), type, data)
for (const notice of network.notices.values()) {
  console.log(`${notice.parent === null ? 'post' : 'reply'}: ${notice.text}`)
}
await ledger[Symbol.asyncDispose]()
