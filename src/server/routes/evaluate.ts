/** The stateless question, in our words and in the original executor's. */

import { toAccountId } from '../../core/ids.ts'
import { decide } from '../../core/decide.ts'
import { everythingSupported } from '../../core/capabilities.ts'
import { noPast } from '../../core/decision-input.ts'
import type { DecisionInput } from '../../core/decision-input.ts'
import { generationOf } from '../../core/history.ts'
import type { PastAction } from '../../core/history.ts'
import { toInstant } from '../../core/instant.ts'
import { actionKey } from '../../core/key.ts'
import { standardPolicy } from '../../core/policies/standard.ts'
import { policyId } from '../../core/policy.ts'
import type { Policy } from '../../core/policy.ts'
import { isEnded } from '../../core/states.ts'
import { toPolicy } from '../../classic/evaluation-config.ts'
import { toResult, toSamples } from '../../classic/translation.ts'
import type { z } from 'zod'
import { requireVisible } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { AppContext, Services } from '../context.ts'
import { baselineFor, policyFrom } from '../deciding.ts'
import { notFound, wrongField } from '../problem.ts'
import { classicBody, classicResult, evaluateBody } from '../schema/evaluate.ts'
import { evaluationView } from '../schema/post.ts'
import { toSample } from '../views/sample.ts'
import { toFreshVerdictView } from '../views/verdict.ts'
import { answer, createRoutes, define, jsonBody } from './route.ts'

const tags = ['evaluate']

const evaluate = define('read', {
  method: 'post',
  path: '/evaluate',
  tags,
  summary: 'Counters in, verdict out; nothing is stored',
  request: { body: jsonBody(evaluateBody) },
  responses: answer(evaluationView, 'The verdict'),
})

const classic = define('read', {
  method: 'post',
  path: '/evaluate/classic',
  tags,
  summary: 'The same, as the original executor asks and answers',
  request: { body: jsonBody(classicBody) },
  responses: answer(classicResult, 'What the original would answer'),
})

export function evaluateRoutes(services: Services) {
  return createRoutes()
    .openapi(evaluate, async (context) => {
      const input = await readInput(services, context, context.req.valid('json'))
      const verdict = decide(input)
      const action = verdict.kind === 'plan' ? verdict.action : null
      const { key } = verdict.trace
      return context.json({ verdict: toFreshVerdictView(verdict), action, key }, 200)
    })
    .openapi(classic, async (context) => {
      const { post_id: id, metrics, now, config } = context.req.valid('json')
      const verdict = decide({
        ...noPast,
        timeZone: 'UTC',
        capabilities: everythingSupported,
        post: { id, publishedAt: null, neverTouch: false },
        samples: toSamples(metrics),
        policy: toPolicy({
          perPostWindowMinutes: config?.per_post_window_minutes,
          minSamplesRequired: config?.min_samples_required,
          maxActionsPerWindow: config?.max_actions_per_window,
          cooldownByActionSeconds: config?.cooldown_by_action_seconds,
        }),
        now: now === undefined ? await services.ledger.now() : toInstant(now, 'now'),
      })
      return context.json(toResult(id, verdict), 200)
    })
}

type Question = z.output<typeof evaluateBody>

async function readInput(
  services: Services,
  context: AppContext,
  question: Question,
): Promise<DecisionInput> {
  const { post, samples, timeZone, looks } = question
  const policy =
    question.policy === undefined ? standardPolicy : await policyFrom(services, question.policy)
  const name = policyId(policy)
  return {
    ...noPast,
    timeZone,
    capabilities: everythingSupported,
    post,
    samples: samples.map(toSample),
    looks: looks.map(({ at, score, stalled }) => ({ at, score, stalled, policy: name })),
    history: toHistory(question),
    baseline: await readBaseline(services, context, question, policy),
    policy,
    now: question.now ?? (await services.ledger.now()),
  }
}

async function readBaseline(
  services: Services,
  context: AppContext,
  { accountId }: Question,
  policy: Policy,
) {
  if (accountId === undefined) return null
  const id = toAccountId(accountId)
  requireVisible(actorOf(context), id, 'account')
  const account = await services.ledger.getAccount(id)
  if (account === null) throw notFound('account')
  return baselineFor(services, account, policy)
}

/** Keys follow from the order of the rows, as in the ledger. */
function toHistory({ post, history }: Question): readonly PastAction[] {
  const rows: PastAction[] = []
  for (const [index, { action, tier, state, at, endedAt }] of history.entries()) {
    if (isEnded(state) && endedAt === null) {
      throw wrongField(`history[${index}].endedAt`, `is missing: the state ${state} is an end`)
    }
    const key = actionKey(post.id, action, tier, generationOf(rows, action, tier))
    rows.push({ key, action, tier, state, at, endedAt })
  }
  return rows
}
