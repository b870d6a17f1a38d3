/** Owns questions to a person. Where nobody can be asked, what is missing is an error instead. */

import { cancel, confirm, isCancel, password, select, text } from '@clack/prompts'
import type { Call } from './call.ts'
import { CommandError, UsageError, exitCodes } from './terminal.ts'

/** Goes on where the answer is yes, or was given with `--yes`. */
export async function requireYes(call: Call, question: string): Promise<void> {
  if (call.yes || call.dryRun) return
  if (!call.mayAsk) throw new UsageError(`${question} Add --yes to say so.`)
  if (!(await answered(confirm({ message: question, initialValue: false })))) {
    throw new CommandError('Nothing was changed.', exitCodes.interrupted)
  }
}

export interface Question {
  readonly message: string
  readonly hint: string
  readonly isSecret: boolean
  readonly fallback: string | null
}

export async function ask({ message, hint, isSecret, fallback }: Question): Promise<string> {
  const validate = (value: string | undefined) =>
    (value ?? '').trim() === '' && fallback === null ? hint : undefined
  const prompt = isSecret
    ? password({ message: `${message} (${hint})`, validate })
    : text({ message, placeholder: fallback ?? hint, validate })
  const value = ((await answered(prompt)) ?? '').trim()
  return value === '' ? (fallback ?? '') : value
}

export interface Choice<Value> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

export async function choose<Value extends string>(
  message: string,
  choices: readonly Choice<Value>[],
): Promise<Value> {
  type Options = Parameters<typeof select<Value>>[0]['options']
  return answered(select<Value>({ message, options: [...choices] as Options }))
}

async function answered<Value>(prompt: Promise<Value>): Promise<Exclude<Value, symbol>> {
  const value = await prompt
  if (!isCancel(value)) return value as Exclude<Value, symbol>
  cancel('Stopped; nothing was changed.')
  throw new CommandError('Stopped.', exitCodes.interrupted)
}
