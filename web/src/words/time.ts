/** Owns how times and durations are written, in the viewer's zone and from where they stand. */

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const units: readonly (readonly [string, number])[] = [
  ['d', dayMs],
  ['h', hourMs],
  ['min', minuteMs],
  ['s', secondMs],
]

/** At most two units, as the engine writes them: `2 h 5 min`. */
export function formatDuration(durationMs: number): string {
  const parts: string[] = []
  let restMs = Math.round(Math.abs(durationMs))
  for (const [name, unitMs] of units) {
    const count = Math.floor(restMs / unitMs)
    restMs -= count * unitMs
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}`)
    else if (parts.length > 0) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}

/** One unit is enough for a glance: `3 h`. */
export function formatRoughly(durationMs: number): string {
  const sizeMs = Math.abs(durationMs)
  const [name, unitMs] = units.find(([, each]) => sizeMs >= each) ?? ['s', secondMs]
  return `${Math.max(0, Math.floor(sizeMs / unitMs))} ${name}`
}

/** `3 h ago`, `in 5 min`, `now`. */
export function formatFromNow(at: number, now: number): string {
  const distanceMs = at - now
  if (Math.abs(distanceMs) < 5 * secondMs) return 'now'
  return distanceMs < 0 ? `${formatRoughly(distanceMs)} ago` : `in ${formatRoughly(distanceMs)}`
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const short = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** To the second, with the zone. */
export function formatExactly(at: number): string {
  return exact.format(at)
}

/** Day and minute. */
export function formatMoment(at: number): string {
  return short.format(at)
}

/** The time alone where it is today, with the day where it is not. */
export function formatClock(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return isToday ? clock.format(at) : short.format(at)
}
