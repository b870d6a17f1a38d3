/** The public surface of what is said. */

export type { Content, ContentLimits, ContentRequest, ContentResult } from './content.ts'
export { diffWords } from './diff.ts'
export { connectLanguageModel } from './language-model.ts'
export { createModelContent } from './model-content.ts'
export { createTemplateContent } from './template-content.ts'
export { parseTemplates, tones } from './templates.ts'
export type { Template, Tone } from './templates.ts'
export type { DiffRun } from './diff.ts'
export type { LanguageModelSettings } from './language-model.ts'
export type { LanguageModel, ModelContentOptions, ModelFailure } from './model-content.ts'
export type { TemplateContentOptions } from './template-content.ts'
