/** The public surface of the engine. */

export { createEngine } from './engine.ts'
export type { Engine } from './engine.ts'
export { defaultSettings } from './parts.ts'
export type { EngineOptions, EngineProblem, EngineSettings } from './parts.ts'
