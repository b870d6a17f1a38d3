/** The public surface for those who write or embed a connector: `secondwind/platform`. */

export type * from './platform.ts'
export * from './simulated/index.ts'
