/**
 * X, by the second version of its API. It was written after the public documentation and has never
 * met X itself; what the documentation leaves open is off until a trial has shown it.
 */

import type { Connector } from '../connector.ts'
import { xAddresses } from './addresses.ts'
import type { Addresses } from './addresses.ts'
import { platformName } from './description.ts'
import { replyTrial } from './reply-proof.ts'
import { browserSignIn } from './sign-in.ts'
import { XPlatform } from './x-platform.ts'

export function createXConnector(addresses: Addresses): Connector {
  return {
    name: platformName,
    title: 'X',
    create: (tools) => new XPlatform(tools, addresses),
    signIns: [browserSignIn(addresses)],
    trial: replyTrial(addresses),
  }
}

export const x: Connector = createXConnector(xAddresses)
