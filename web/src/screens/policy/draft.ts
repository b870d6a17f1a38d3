/** Owns reading and changing a policy by path, without ever changing the one it came from. Pure. */

import type { PolicyDetail } from '../../../../src/server/schema/policy.ts'

export type Policy = PolicyDetail['policy']
export type GuardName = Policy['guards'][number]['guard']

/**
 * Such as `looks.required`, `checks.0.everyMs`, or `guards.account_budget.perHour`: in the list of
 * guards a name stands for the guard that has it.
 */
export type Path = string

export function readAt(policy: Policy, path: Path): unknown {
  return path.split('.').reduce<unknown>((value, part) => childOf(value, part), policy)
}

function childOf(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return value[indexIn(value, part)] as unknown
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[part]
}

function indexIn(list: readonly unknown[], part: string): number {
  const byName = list.findIndex(
    (entry) =>
      typeof entry === 'object' && entry !== null && 'guard' in entry && entry.guard === part,
  )
  return byName >= 0 ? byName : Number(part)
}

export function writeAt(policy: Policy, path: Path, next: unknown): Policy {
  return written(policy, path.split('.'), next) as Policy
}

function written(value: unknown, [part, ...rest]: readonly string[], next: unknown): unknown {
  if (part === undefined) return next
  const child = written(childOf(value, part), rest, next)
  if (Array.isArray(value)) return value.with(indexIn(value, part), child) as unknown
  return { ...(value as object), [part]: child }
}

/** Takes a guard out, or puts it back where the original has it. */
export function withGuard(draft: Policy, original: Policy, name: GuardName, isOn: boolean): Policy {
  const kept = new Set(draft.guards.map(({ guard }) => guard))
  if (isOn) kept.add(name)
  else kept.delete(name)
  const changed = new Map(draft.guards.map((settings) => [settings.guard, settings]))
  const guards = original.guards
    .filter(({ guard }) => kept.has(guard))
    .map((settings) => changed.get(settings.guard) ?? settings)
  return { ...draft, guards }
}

/** The version that comes after all that are stored under its name. */
export function nextVersion(name: string, known: readonly { name: string; version: number }[]) {
  const versions = known.filter((entry) => entry.name === name).map(({ version }) => version)
  return Math.max(0, ...versions) + 1
}
