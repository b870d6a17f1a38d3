/** Owns the function that a configuration file in TypeScript calls, for the sake of its types. */

import type { UserConfig } from './fields.ts'

/**
 * Types a configuration file.
 *
 * @example
 * import { defineConfig } from 'secondwind'
 * export default defineConfig({ database: 'postgres://localhost/secondwind', mode: 'approve' })
 */
export function defineConfig(config: UserConfig): UserConfig {
  return config
}
