/** Tests quiet hours where they are difficult: across midnight, and when the clocks change. */

import { describe, expect, it } from 'vitest'
import {
  decideWith,
  inputWith,
  policyWithGuard,
  reportOf,
} from '../../../test/builders/decision.ts'
import { InputError } from '../input-error.ts'
import { formatInstant, parseInstant } from '../instant.ts'

function reportAt(time: string, timeZone: string, from = '23:00', to = '07:00') {
  const policy = policyWithGuard({ guard: 'quiet_hours', from, to })
  return reportOf('quiet_hours', { now: parseInstant(time, 'time'), timeZone, policy })
}

/** When they end, or null where they have not begun. */
function endAt(time: string, timeZone: string, from?: string, to?: string): string | null {
  const report = reportAt(time, timeZone, from, to)
  if (report.kind === 'pass') return null
  if (report.until.kind !== 'time') throw new Error('Quiet hours end at a time')
  return formatInstant(report.until.at)
}

describe('quiet_hours', () => {
  it('names the hours and the zone', () => {
    expect(reportAt('2026-07-15T12:00:00Z', 'Europe/Vienna')).toEqual({
      guard: 'quiet_hours',
      kind: 'pass',
      facts: { from: '23:00', to: '07:00', zone: 'Europe/Vienna' },
    })
  })

  it.each([
    ['a moment before', '2026-07-15T22:59:59.999+02:00', null],
    ['at the start', '2026-07-15T23:00:00+02:00', '2026-07-16T05:00:00+00:00'],
    [
      'in the last hour of the day',
      '2026-07-15T23:59:59.999999+02:00',
      '2026-07-16T05:00:00+00:00',
    ],
    ['at midnight', '2026-07-16T00:00:00+02:00', '2026-07-16T05:00:00+00:00'],
    [
      'a microsecond before the end',
      '2026-07-16T06:59:59.999999+02:00',
      '2026-07-16T05:00:00+00:00',
    ],
    ['at the end', '2026-07-16T07:00:00+02:00', null],
  ])('in Vienna, across midnight, %s', (_, time, end) => {
    expect(endAt(time, 'Europe/Vienna')).toBe(end)
  })

  it.each([
    ['11:59:59', null],
    ['12:00:00', '2026-07-15T12:00:00+00:00'],
    ['13:59:59', '2026-07-15T12:00:00+00:00'],
    ['14:00:00', null],
  ])('within one day, at %s', (time, end) => {
    expect(endAt(`2026-07-15T${time}+02:00`, 'Europe/Vienna', '12:00', '14:00')).toBe(end)
  })

  it('has no quiet hours where both ends are equal', () => {
    expect(endAt('2026-07-15T23:00:00+02:00', 'Europe/Vienna', '23:00', '23:00')).toBeNull()
  })

  it.each([
    // Vienna: 02:00 becomes 03:00, so the night is an hour shorter.
    ['Europe/Vienna', '2026-03-28T22:30:00Z', '2026-03-29T05:00:00+00:00'],
    ['Europe/Vienna', '2026-03-29T04:59:59Z', '2026-03-29T05:00:00+00:00'],
    ['Europe/Vienna', '2026-03-29T05:00:00Z', null],
    // Vienna: 03:00 becomes 02:00, so the night is an hour longer.
    ['Europe/Vienna', '2026-10-24T21:30:00Z', '2026-10-25T06:00:00+00:00'],
    ['Europe/Vienna', '2026-10-25T05:59:59Z', '2026-10-25T06:00:00+00:00'],
    ['Europe/Vienna', '2026-10-25T06:00:00Z', null],
    // Kolkata is half an hour off, and never changes.
    ['Asia/Kolkata', '2026-07-15T17:29:59.999Z', null],
    ['Asia/Kolkata', '2026-07-15T17:30:00Z', '2026-07-16T01:30:00+00:00'],
    ['Asia/Kolkata', '2026-07-16T01:30:00Z', null],
    // Lord Howe changes by half an hour: 02:00 becomes 01:30 …
    ['Australia/Lord_Howe', '2026-04-04T12:00:00Z', '2026-04-04T20:30:00+00:00'],
    ['Australia/Lord_Howe', '2026-04-04T20:30:00Z', null],
    // … and 02:00 becomes 02:30.
    ['Australia/Lord_Howe', '2026-10-03T12:29:59Z', null],
    ['Australia/Lord_Howe', '2026-10-03T12:30:00Z', '2026-10-03T20:00:00+00:00'],
    ['Australia/Lord_Howe', '2026-10-03T20:00:00Z', null],
  ])('in %s at %s they end at %s', (zone, time, end) => {
    expect(endAt(time, zone)).toBe(end)
  })

  it('ends when the clocks jump over the end', () => {
    const end = endAt('2026-03-29T00:30:00Z', 'Europe/Vienna', '23:00', '02:30')
    expect(end).toBe('2026-03-29T01:00:00+00:00')
  })

  it('ends a day later where the clocks jump over all that is not quiet', () => {
    const end = endAt('2026-03-29T00:30:00Z', 'Europe/Vienna', '02:40', '02:31')
    expect(end).toBe('2026-03-30T00:31:00+00:00')
  })

  it('ends early where the clocks go back to what is not quiet', () => {
    const end = endAt('2026-10-25T00:20:00Z', 'Europe/Vienna', '02:15', '02:10')
    expect(end).toBe('2026-10-25T01:10:00+00:00')
  })

  it.each(['Europe/Wien', '', 'Mars/Olympus'])('refuses the zone %j', (timeZone) => {
    const refused = () => decideWith({ timeZone })
    expect(refused).toThrow(InputError)
    expect(refused).toThrow(/^timeZone: /)
  })

  it('needs no zone where the policy has no quiet hours', () => {
    const { policy } = inputWith()
    const guards = policy.guards.filter(({ guard }) => guard !== 'quiet_hours')
    const verdict = decideWith({ timeZone: 'Mars/Olympus', policy: { ...policy, guards } })
    expect(verdict.kind).toBe('plan')
  })
})
