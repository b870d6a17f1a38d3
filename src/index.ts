/** The public surface of `secondwind`. */

export * from './core/index.ts'
export { systemClock, systemRandom } from './system.ts'
