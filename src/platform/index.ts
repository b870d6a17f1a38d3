/** The public surface for those who write or embed a connector: `secondwind/platform`. */

export type * from './connector.ts'
export type * from './platform.ts'
export { createGuardedFetch } from './guarded-fetch.ts'
export type { FetchLimits, GuardedFetch, GuardedFetchSettings } from './guarded-fetch.ts'
export * from './simulated/index.ts'
