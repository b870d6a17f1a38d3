/** Mastodon and the servers that speak its API: Pleroma, Akkoma, GoToSocial, snac and others. */

import type { Connector } from '../connector.ts'
import { platformName } from './description.ts'
import { keyTrial } from './key-proof.ts'
import { MastodonPlatform } from './mastodon-platform.ts'
import { browserSignIn, tokenSignIn } from './sign-in.ts'

export const mastodon: Connector = {
  name: platformName,
  title: 'Mastodon',
  create: (tools) => new MastodonPlatform(tools),
  signIns: [browserSignIn, tokenSignIn],
  trial: keyTrial,
}
