/**
 * Bluesky, or any server of AT Protocol. An app password comes first: the network ends a session
 * by browser after two weeks, whatever is done with it, and the owner has to sign in again.
 */

import type { Connector } from '../connector.ts'
import { appPasswordSignIn } from './app-password.ts'
import { BlueskyPlatform } from './bluesky-platform.ts'
import { platformName } from './description.ts'
import { publicPlaces } from './identity.ts'
import type { Places } from './identity.ts'
import { oauthSignIn } from './oauth.ts'

export type { Places } from './identity.ts'
export { clientMetadata } from './oauth.ts'

/** With other places to look names up at: a network of one's own. */
export function blueskyAt(places: Places): Connector {
  return {
    name: platformName,
    title: 'Bluesky',
    create: (tools) => new BlueskyPlatform(tools),
    signIns: [appPasswordSignIn(places), oauthSignIn(places)],
  }
}

export const bluesky: Connector = blueskyAt(publicPlaces)
