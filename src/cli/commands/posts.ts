/** The commands of `posts`: which stall, why, and what the numbers were. */

import { Option } from 'commander'
import type { Command } from 'commander'
import { plural } from '../../core/wording.ts'
import type { NewPostBody, PostDetail, PostPage, PostView } from '../../server/schema/post.ts'
import type { Pushed } from '../../server/schema/sample.ts'
import { openApi } from '../api.ts'
import type { Query } from '../api.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { findAccount, findPostId } from '../finding.ts'
import { toBodies } from '../post-bodies.ts'
import { postPage, postsTable } from '../post-pages.ts'
import { readRecordings } from '../recordings.ts'
import { UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'
import { watchPost } from '../watching.ts'

export function define(program: Command, terminal: Terminal): void {
  const posts = program.command('posts').description('The posts that are watched, and were.')
  addCommand(posts, terminal, {
    usage: 'list',
    summary: 'newest first',
    shape: (command) =>
      command
        .option('--account <account>', 'of one account')
        .addOption(new Option('--status <status>').choices(['watched', 'closed', 'gone']))
        .addOption(
          new Option('--verdict <verdict>', 'what the latest look came to').choices([
            'plan',
            'hold',
            'healthy',
            'insufficient',
          ]),
        )
        .option('--text <words>', 'part of the text')
        .option('--limit <count>', 'how many', '20'),
    run: list,
  })
  addCommand(posts, terminal, {
    usage: 'show <post>',
    summary: 'its curve, its state and every reason for it',
    run: show,
  })
  addCommand(posts, terminal, {
    usage: 'watch <post>',
    summary: 'draw its curve and go on drawing',
    run: watchPost,
  })
  addCommand(posts, terminal, {
    usage: 'import <file>',
    summary: 'track posts with their readings, from a .json or .csv file',
    shape: (command) => command.requiredOption('--account <account>', 'whose posts they are'),
    run: importPosts,
  })
  addCommand(posts, terminal, {
    usage: 'never-touch <post>',
    summary: 'the owner’s word: leave this post alone',
    shape: (command) => command.option('--off', 'take that back'),
    run: neverTouch,
  })
}

async function list(call: Call): Promise<void> {
  await using api = await openApi(call)
  const word = optionText(call, 'account')
  const query: Query = {
    accountId: word === null ? null : (await findAccount(api, word)).id,
    status: optionText(call, 'status'),
    verdict: optionText(call, 'verdict'),
    text: optionText(call, 'text'),
    limit: optionText(call, 'limit'),
  }
  const page = await api.get<PostPage>('/posts', query)
  call.out.show(page.items, () =>
    page.items.length === 0
      ? 'No post matches.'
      : postsTable(page.items, call.out) +
        (page.next === null ? '' : '\n… there are more; raise --limit.'),
  )
}

async function show(call: Call): Promise<void> {
  await using api = await openApi(call)
  const id = await findPostId(api, call.words[0] ?? '')
  const post = await api.get<PostDetail>(`/posts/${encodeURIComponent(id)}`)
  call.out.show(post, () => postPage(post, call.out))
}

/** As many as the server takes at once. */
const samplesAtOnce = 1000

async function importPosts(call: Call): Promise<void> {
  const [path = ''] = call.words
  const recorded = (await readRecordings(path)).map(toBodies)
  await using api = await openApi(call)
  const word = optionText(call, 'account')
  if (word === null) throw new UsageError('--account says whose posts they are.')
  const { id: accountId } = await findAccount(api, word)
  let readings = 0
  if (!call.dryRun) {
    for (const { post, samples } of recorded) {
      const body: NewPostBody = { accountId, ...post }
      const { id: postId } = await api.post<PostView>('/posts', body)
      for (let start = 0; start < samples.length; start += samplesAtOnce) {
        const batch = samples.slice(start, start + samplesAtOnce)
        const pushed = await api.post<Pushed>('/samples', {
          samples: batch.map((sample) => ({ postId, sample })),
        })
        readings += pushed.recorded
      }
    }
  }
  call.out.show({ posts: recorded.length, readings }, () =>
    call.dryRun
      ? `Would track ${plural(recorded.length, 'post')}.`
      : `Tracking ${plural(recorded.length, 'post')} with ${plural(readings, 'new reading')}.`,
  )
}

async function neverTouch(call: Call): Promise<void> {
  await using api = await openApi(call)
  const id = await findPostId(api, call.words[0] ?? '')
  const on = call.options['off'] !== true
  const path = `/posts/${encodeURIComponent(id)}/never-touch`
  if (!call.dryRun) await api.put<PostView>(path, { on })
  call.out.show({ id, neverTouch: on }, () =>
    on ? `${id} is left alone from now on.` : `${id} may be helped again.`,
  )
}
