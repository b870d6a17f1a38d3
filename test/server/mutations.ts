/** Spoils a value somewhere: what programs send when they are wrong, and what attackers try. */

import * as fc from 'fast-check'

/** Values that have broken servers before. */
const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  -0,
  1e308,
  Number.MAX_SAFE_INTEGER,
  0.1,
  '',
  ' ',
  '\u0000',
  '\uD800',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999999+00:00',
  '0000-01-01T00:00:00Z',
  'x'.repeat(5000),
  '🧑‍🚀'.repeat(50),
  [],
  {},
  [[]],
  { __proto__: { polluted: true } },
  { constructor: { prototype: {} } },
  Array.from({ length: 2000 }, () => 0),
]

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...oddValues),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Where a value is spoiled, with what, and how: replaced, removed or added beside. */
export interface Spoil {
  readonly path: readonly number[]
  readonly odd: unknown
  readonly kind: number
}

export const anySpoil: fc.Arbitrary<Spoil> = fc.record({
  path: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  odd: oddValue,
  kind: fc.nat(2),
})

export function spoil(value: unknown, { path, odd, kind }: Spoil): unknown {
  return spoilAt(value, path, odd, kind)
}

function spoilAt(value: unknown, [step, ...rest]: readonly number[], odd: unknown, kind: number) {
  if (step === undefined || typeof value !== 'object' || value === null) return odd
  const entries: (readonly [string, unknown])[] = Object.entries(value)
  const chosen = entries[step % Math.max(1, entries.length)]
  if (chosen === undefined) return kind === 0 ? odd : { extra: odd }
  const [name, inner] = chosen
  const copy: Record<string, unknown> = { ...value }
  if (kind === 1 && rest.length === 0) delete copy[name]
  else if (kind === 2 && rest.length === 0) copy[`${name}x`] = odd
  else copy[name] = spoilAt(inner, rest, odd, kind)
  return Array.isArray(value) ? Object.values(copy) : copy
}
