/**
 * Pushes counters of your own, from wherever you have them, and prints what Second Wind makes of
 * them. Nothing is ever sent for such an account: it is watched.
 */

const server = process.env['SECONDWIND_SERVER'] ?? 'http://127.0.0.1:8737'
const token = process.env['SECONDWIND_TOKEN'] ?? ''

interface Account {
  readonly id: string
  readonly handle: string
  readonly isExternal: boolean
}

interface Pushed {
  readonly recorded: number
  readonly verdicts: readonly { readonly kind: string; readonly sentence: string }[]
}

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${server}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // A problem says in words what is wrong, and which field to correct.
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** The account that the counters belong to; made the first time. */
async function findAccount(handle: string): Promise<Account> {
  const { items } = await ask<{ readonly items: readonly Account[] }>('GET', '/accounts')
  const known = items.find((account) => account.isExternal && account.handle === handle)
  return known ?? ask<Account>('POST', '/accounts', { kind: 'external', handle })
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const account = await findAccount('my-newsletter')
const post = await ask<{ readonly id: string }>('POST', '/posts', {
  accountId: account.id,
  remoteId: 'issue-42',
  publishedAt: minutesAgo(120),
})

// What the counters showed: many look at it, hardly anybody reacts.
const samples = [60, 45, 30, 15, 0].map((age) => ({
  postId: post.id,
  sample: { at: minutesAgo(age), impressions: 4000 - age * 20, engagements: 40 },
}))
const { recorded, verdicts } = await ask<Pushed>('POST', '/samples', { samples })
console.log(`${recorded} readings are new.`)
for (const { kind, sentence } of verdicts) console.log(`${kind}: ${sentence}`)
