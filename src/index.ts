/** The public surface of `secondwind`. */

export * from './core/index.ts'
export { systemClock, systemRandom } from './system.ts'
export * from './content/index.ts'
export * from './config/index.ts'
export * from './engine/index.ts'
export * from './ledger/index.ts'
export * from './vault/index.ts'
