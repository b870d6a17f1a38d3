/** Owns the log: lines for people in a terminal, JSON for programs elsewhere, always on stderr. */

import { pino } from 'pino'
import { formatInstant } from '../core/instant.ts'
import type { Config } from '../config/fields.ts'
import type { Log } from '../server/parts.ts'
import { systemClock } from '../system.ts'
import type { Terminal } from './terminal.ts'

export function createLog({ stderr }: Terminal, level: Config['logLevel']): Log {
  const write = (text: string) => void stderr.write(text)
  const options = { level, serializers: { error: pino.stdSerializers.err } }
  if (stderr.isTTY !== true) return pino(options, { write })
  return pino(options, { write: (line: string) => write(forPeople(line)) })
}

interface Line {
  readonly level: number
  readonly msg?: string
  readonly [field: string]: unknown
}

const warning = 40
const problem = 50
const own = new Set(['level', 'time', 'pid', 'hostname', 'msg'])

function forPeople(text: string): string {
  const line = JSON.parse(text) as Line
  const mark = line.level >= problem ? 'ERROR ' : line.level >= warning ? 'WARN  ' : ''
  const rest = Object.entries(line)
    .filter(([name]) => !own.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const time = formatInstant(systemClock.now()).slice(11, 19)
  return `${[time, `${mark}${line.msg ?? ''}`, ...rest].join('  ')}\n`
}
