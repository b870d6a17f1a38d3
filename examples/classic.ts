/** The original executor, dropped in: the same questions, the same answers, the same JSON file. */

import { SelfHealingExecutor } from 'secondwind/classic'

const executor = new SelfHealingExecutor({ persistencePath: 'history.json' })

// Three readings of a post that many see and few react to.
const now = new Date()
const metrics = [30, 15, 0].map((age) => ({
  timestamp: new Date(now.getTime() - age * 60_000),
  impressions: 1000 - age * 10,
  engagements: 4,
}))

const plan = executor.evaluateAndPlan('post-1', metrics, now)
console.log(plan)

if (plan.eligible) {
  // Here the caller would send; then it says what came of it, and the file remembers.
  executor.persistOutcome({
    postId: plan.post_id,
    actionType: plan.action_type,
    tier: plan.tier,
    idempotencyKey: plan.idempotency_key,
    status: 'success',
    outcome: { replyId: '17' },
  })
  console.log(executor.evaluateAndPlan('post-1', metrics, now))
}
