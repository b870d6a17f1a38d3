/** The public surface for those who write or embed a connector: `secondwind/platform`. */

export type * from './connector.ts'
export type * from './platform.ts'
export { connectors, createConnectorTools } from './connectors.ts'
export type { ToolSettings } from './connectors.ts'
export { createGuardedFetch } from './guarded-fetch.ts'
export type { FetchLimits, GuardedFetch, GuardedFetchSettings } from './guarded-fetch.ts'
export { createGuardedSocket } from './fetch/guarded-socket.ts'
export type { GuardedSocket } from './fetch/guarded-socket.ts'
export { FetchError } from './fetch/fetch-error.ts'
export { GuardedResponse } from './fetch/guarded-response.ts'
export * from './simulated/index.ts'
