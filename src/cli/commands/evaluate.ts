/** The command `evaluate`: what is decided about a post now, with every reason. Stores nothing. */

import type { Command } from 'commander'
import { InputError } from '../../core/input-error.ts'
import type { EvaluationView } from '../../server/schema/post.ts'
import { openApi } from '../api.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { readDataFile } from '../data-file.ts'
import { findPostId } from '../finding.ts'
import { verdictPage } from '../post-pages.ts'
import { UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'evaluate [post]',
    summary:
      'What is decided about a post now, and why. Nothing is stored. With --file it is decided ' +
      'about readings in a file, and no ledger is needed.',
    shape: (command) =>
      command
        .option('--explain', 'every guard, not only the verdict')
        .option(
          '--file <file>',
          'readings, as JSON: {"post": …, "samples": […]} or the classic form',
        )
        .option('--policy <policy>', 'with --file: standard@1 unless said otherwise'),
    run: evaluate,
  })
}

async function evaluate(call: Call): Promise<void> {
  const file = optionText(call, 'file')
  const [word] = call.words
  if ((file === null) === (word === undefined)) {
    throw new UsageError('Give a post, or --file with readings.')
  }
  if (file === null) {
    await using api = await openApi(call)
    const id = await findPostId(api, word ?? '')
    const evaluation = await api.post<EvaluationView>(`/posts/${encodeURIComponent(id)}/evaluate`)
    show(call, evaluation)
    return
  }
  const body = await readDataFile(file)
  if (typeof body !== 'object' || body === null) {
    throw new InputError(file, 'must hold an object with the readings')
  }
  const { openStatelessApi } = await import('../local-api.ts')
  await using api = await openStatelessApi()
  if ('post_id' in body) {
    const result = await api.post<unknown>('/evaluate/classic', body)
    call.out.show(result, () => JSON.stringify(result, null, 2))
    return
  }
  const policy = optionText(call, 'policy')
  const given = policy === null ? body : { ...body, policy }
  show(call, await api.post<EvaluationView>('/evaluate', given))
}

function show(call: Call, evaluation: EvaluationView): void {
  const { verdict, action } = evaluation
  const guards = call.options['explain'] === true ? verdict.guards : []
  call.out.show(evaluation, () =>
    [
      ...verdictPage({ ...verdict, guards }, call.out),
      ...(action === null ? [] : ['', `It would be a ${action}.`]),
    ].join('\n'),
  )
}
