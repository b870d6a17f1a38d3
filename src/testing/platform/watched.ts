/** Owns listening to a connector: everything it gives or throws is kept, to be searched later. */

import type { Platform } from '../../platform/platform.ts'

export function watched(platform: Platform, said: unknown[]): Platform {
  const listen = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await work()
      said.push(result)
      return result
    } catch (error) {
      said.push(error)
      throw error
    }
  }
  return {
    name: platform.name,
    describe: (connection) => platform.describe(connection),
    probe: (options) => listen(() => platform.probe(options)),
    discover: (options) => listen(() => platform.discover(options)),
    observe: (options) => listen(() => platform.observe(options)),
    prepare: (options) => listen(() => platform.prepare(options)),
    commit: (request) => listen(() => platform.commit(request)),
    locate: (request) => listen(() => platform.locate(request)),
    undo: (options) => listen(() => platform.undo(options)),
    classify: (error, call, now) => {
      const fault = platform.classify(error, call, now)
      said.push(fault)
      return fault
    },
  }
}
