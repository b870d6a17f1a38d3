/** The package that this stands for is imported by its default export. */

export { Database as default } from './database.ts'
