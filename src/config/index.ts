/** The public surface of the configuration. */

export { defineConfig } from './define-config.ts'
export type { UserConfig } from './fields.ts'
