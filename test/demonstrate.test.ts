/** Runs the demonstration as a person would, and reads what it prints. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { actionKey, standardPolicy } from '../src/index.ts'

const program = join(import.meta.dirname, '..', 'scripts', 'demonstrate.ts')

function demonstrate(variables: Readonly<Record<string, string>>) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
  return spawnSync(process.execPath, [program], {
    env: { ...env, ...variables },
    encoding: 'utf8',
  })
}

const { status, stdout, stderr } = demonstrate({})
const lines = stdout.split('\n')

describe('the demonstration', () => {
  it('ends well and complains of nothing', () => {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('tells the night in order, one verdict a moment', () => {
    const headings = lines
      .filter((line) => line.startsWith('── '))
      .map((line) => line.replaceAll(/─+/g, '').trim().replaceAll(/\s+/g, ' '))
    expect(headings).toEqual([
      'Wed 18:45, 15 min old insufficient',
      'Wed 19:00, 30 min old healthy',
      'Wed 20:30, 2 h old hold: confirming',
      'Wed 21:00, 2 h 30 min old plan: edit',
      'Wed 21:01, 2 h 31 min old hold: open_action',
      'Wed 21:15, 2 h 45 min old hold: action_cooldown',
      'Wed 23:15, 4 h 45 min old hold: quiet_hours',
      'Thu 08:30, 14 h old healthy',
    ])
  })

  it('explains each verdict and says what follows, in local time', () => {
    const framed = lines.map((line) => line.startsWith('   │ '))
    const paragraphs = framed.filter((inside, index) => inside && framed[index - 1] === false)
    expect(paragraphs).toHaveLength(8)
    expect(lines.filter((line) => line.startsWith('   → '))).toEqual([
      `   → edit, key ${actionKey('post-lantern', 'edit', 'tier_2')}`,
      '   → possible from Wed 23:02',
      '   → possible from Thu 07:00',
    ])
  })

  it('draws the counters up to the moment', () => {
    expect(lines).toContain('   impressions ▄█ 860')
    expect(lines).toContain('   engagements ▃▇█▇▅▂▂▂▂▂ 141')
  })

  it('lists every guard of one verdict, and only the quiet hours hold it', () => {
    const guards = lines.filter((line) => /^ {3}(pass|HOLD) {2}/.test(line))
    const names = guards.map((line) => line.slice(9, line.indexOf(':')))
    expect(names).toEqual(standardPolicy.guards.map(({ guard }) => guard))
    const holding = guards.filter((line) => line.startsWith('   HOLD'))
    expect(holding.map((line) => line.slice(9, 20))).toEqual(['quiet_hours'])
  })

  it('shows that classic would have acted on a healthy post and in the night', () => {
    expect(lines).toContain('   Wed 19:00   healthy                   plan: comment')
    const from = lines.indexOf('   classic@1 acted 3 times:')
    expect(lines.slice(from + 1, from + 4)).toEqual([
      '   Wed 19:00   comment   standard@1 said healthy',
      '   Wed 21:00   edit      standard@1 said plan: edit',
      '   Thu 01:00   thread    standard@1 said hold: quiet_hours',
    ])
    expect(lines).toContain('   standard@1 acted 1 time:')
  })

  it('fits 80 columns, with nothing left at the end of a line', () => {
    expect(lines.filter((line) => line.length > 80 || line !== line.trimEnd())).toEqual([])
  })

  it('is plain where it is piped, and colour adds nothing but colour', () => {
    expect(stripVTControlCharacters(stdout)).toBe(stdout)
    const coloured = demonstrate({ FORCE_COLOR: '1' }).stdout
    expect(coloured).not.toBe(stdout)
    expect(stripVTControlCharacters(coloured)).toBe(stdout)
    expect(demonstrate({ NO_COLOR: '1' }).stdout).toBe(stdout)
  })
})
