/** The public surface of the server. */

export { listen } from './listen.ts'
export type { Listening, ListenOptions } from './listen.ts'
export { defaultServerSettings } from './parts.ts'
export type { EngineHealth, EngineReport, Log, ServerParts, ServerSettings } from './parts.ts'
export { createServer } from './server.ts'
export type { Server } from './server.ts'
