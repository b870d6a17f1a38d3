/** The command `posts watch`: draws a post's curve, and draws it again whenever it was read. */

import type { PostDetail } from '../server/schema/post.ts'
import { systemClock } from '../system.ts'
import { openApi } from './api.ts'
import type { Call } from './call.ts'
import { findPostId } from './finding.ts'
import { postPage } from './post-pages.ts'

const everyMs = 2000
/** Up to the top left, and everything below it away. */
const clear = '\u001b[H\u001b[J'

export async function watchPost(call: Call): Promise<void> {
  await using api = await openApi(call)
  const id = await findPostId(api, call.words[0] ?? '')
  const read = () => api.get<PostDetail>(`/posts/${encodeURIComponent(id)}`)
  const { stdout } = call.terminal
  // Without a terminal there is nobody to draw for again and again.
  if (stdout.isTTY !== true || call.out.isJson) {
    const post = await read()
    call.out.show(post, () => postPage(post, call.out))
    return
  }
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  let seen = ''
  try {
    while (!stopping.signal.aborted) {
      const post = await read()
      const page = postPage(post, call.out)
      if (page !== seen) stdout.write(`${clear}${page}\n\n(Ctrl-C ends this.)\n`)
      seen = page
      if (post.status !== 'watched') return
      await systemClock.sleep(everyMs, stopping.signal)
    }
  } finally {
    process.removeListener('SIGINT', stop)
  }
}
