/** Owns what all calls of one connector share. */

import type { ConnectorTools } from '../connector.ts'
import { Nonces } from './nonces.ts'

export interface SessionTools extends ConnectorTools {
  readonly nonces: Nonces
}

export function sessionTools(tools: ConnectorTools): SessionTools {
  return { ...tools, nonces: new Nonces() }
}
