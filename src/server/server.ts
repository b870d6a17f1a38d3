/**
 * The server: the API and the dashboard over one ledger. It decides nothing and sends nothing to a
 * network but trials that its owner asks for; it shows what the ledger holds and writes down what
 * people decide.
 */

import { Baselines } from '../engine/baselines.ts'
import { hourMs } from '../core/duration.ts'
import { InputError } from '../core/input-error.ts'
import type { Secret } from '../core/secret.ts'
import { createApp, describeApi } from './app.ts'
import { Owner } from './auth/owner.ts'
import { Sessions } from './auth/sessions.ts'
import { Throttle } from './auth/throttle.ts'
import { Tokens } from './auth/tokens.ts'
import type { TokenWish } from './auth/tokens.ts'
import type { Services } from './context.ts'
import { Health } from './health.ts'
import { LiftReports } from './lift-reports.ts'
import { Metrics } from './metrics.ts'
import { Networks } from './networks.ts'
import { defaultServerSettings, demoSettings } from './parts.ts'
import type { ServerParts } from './parts.ts'
import { shortestPassword } from './schema/session.ts'
import { EventTail } from './stream.ts'
import { Webhooks } from './webhooks/webhooks.ts'

export interface Server extends AsyncDisposable {
  /** Answers one request. */
  readonly fetch: (request: Request, bindings?: object) => Response | Promise<Response>
  /** Begins to send webhooks. */
  start(): void
  /** Ends every stream and what is under way. */
  stop(): Promise<void>
  /** Where to set it up, once; null where that was done. `base` is its address. */
  setUpLink(base: string): Promise<string | null>
  /** Sets the password where none was set yet, for those who cannot open a link. */
  setFirstPassword(password: Secret): Promise<void>
  /** A link that signs in without a password: for a demo, and for those at the machine. */
  signInLink(base: string): Promise<string>
  /** Makes a token from the command line. */
  addToken(wish: TokenWish): Promise<Secret>
  /** Whether a stranger would be kept out: there is a password, or a token. */
  isProtected(): Promise<boolean>
  /** The API as OpenAPI 3.1. */
  describe(): object
}

/** What accounts' past posts were like is laid out anew after this. */
const baselineKeepMs = hourMs

export function createServer(parts: ServerParts): Server {
  const services = assembleServices(parts)
  const health = new Health(services)
  const app = createApp(services, health)
  const { owner, tokens, webhooks, tail } = services
  const stop = async () => {
    await Promise.all([tail.stop(), webhooks.stop()])
  }
  return {
    fetch: (request, bindings = {}) => app.fetch(request, bindings),
    start: () => webhooks.start(),
    stop,
    [Symbol.asyncDispose]: stop,
    setUpLink: async (base) => {
      const token = await owner.makeSetUpToken()
      return token === null ? null : linkWith(base, token)
    },
    setFirstPassword: async (password) => {
      if (password.reveal().length < shortestPassword) {
        throw new InputError('password', `must have at least ${shortestPassword} characters`)
      }
      const token = await owner.makeSetUpToken()
      if (token !== null) await owner.setUp(token, password)
    },
    signInLink: async (base) => linkWith(base, await owner.makeSignInToken()),
    addToken: async (wish) => (await tokens.add(wish)).secret,
    isProtected: async () =>
      (await owner.generation()) !== null || (await tokens.list()).length > 0,
    describe: () => describeApi(app, parts.version),
  }
}

/** Behind the #, which browsers keep to themselves: no log and no referrer ever holds it. */
function linkWith(base: string, token: Secret): string {
  return new URL(`/#token=${token.reveal()}`, base).href
}

function assembleServices(parts: ServerParts): Services {
  const { ledger, clock, random, vault, log, tools } = parts
  const own = parts.mode === 'demo' ? demoSettings : {}
  const settings = { ...defaultServerSettings, ...own, ...parts.settings }
  const owner = new Owner({ ledger, random, settings })
  const metrics = new Metrics()
  const { loginTries, loginTriesOfAll, loginWindowMs: windowMs } = settings
  return {
    ...parts,
    settings,
    startedMs: clock.monotonicMs(),
    owner,
    sessions: new Sessions({ ledger, random, settings, owner }),
    tokens: new Tokens({ ledger, random }),
    logins: {
      byAddress: new Throttle(clock, { maximum: loginTries, windowMs }),
      ofAll: new Throttle(clock, { maximum: loginTriesOfAll, windowMs }),
    },
    networks: new Networks(parts),
    baselines: new Baselines(ledger, clock, baselineKeepMs),
    liftReports: new LiftReports({ ledger, clock, settings }),
    tail: new EventTail({ ledger, clock, log, settings }),
    webhooks: new Webhooks({
      ledger,
      random,
      vault,
      clock,
      fetch: tools.fetch,
      settings,
      metrics,
      log,
    }),
    metrics,
  }
}
