/** The command `accounts prove`: tries out on the network what reading does not show. */

import type { AccountProof } from '../server/schema/account.ts'
import type { PlatformView } from '../server/schema/platform.ts'
import { openApi } from './api.ts'
import type { Call } from './call.ts'
import { findAccount, nameOf } from './finding.ts'
import { requireYes } from './questions.ts'
import { CommandError, exitCodes } from './terminal.ts'
import { wrap } from './wrapping.ts'

export async function proveAccount(call: Call): Promise<void> {
  await using api = await openApi(call)
  const account = await findAccount(api, call.words[0] ?? '')
  const { items } = await api.get<{ readonly items: readonly PlatformView[] }>('/platforms')
  const trial = items.find(({ name }) => name === account.platform)?.trial ?? null
  const name = nameOf(account)
  if (trial === null) {
    const words = `There is nothing to try out for ${name}: reading shows what it can do.`
    throw new CommandError(words, exitCodes.refused)
  }
  const { question, steps } = trial
  if (call.dryRun) {
    call.out.show({ id: account.id, question, steps }, () =>
      wrap(`Would find out ${question}. ${steps}`, call.out.width).join('\n'),
    )
    return
  }
  call.out.say(wrap(`This finds out ${question}. ${steps}`, call.out.width).join('\n'))
  await requireYes(call, `Try it out as ${name} now?`)
  const proof = await api.post<AccountProof>(`/accounts/${encodeURIComponent(account.id)}/prove`)
  if (proof.kind === 'failed') {
    const left = proof.mayBeLeft ? ' Something of it may still be there: look, and delete it.' : ''
    throw new CommandError(`Nothing was found out: ${proof.detail} (${proof.code}).${left}`)
  }
  call.out.show(proof, () =>
    [
      ...wrap(proof.finding, call.out.width),
      ...(proof.leftOver.length === 0
        ? []
        : [`Delete by hand what could not be removed: ${proof.leftOver.join(', ')}`]),
    ].join('\n'),
  )
}
