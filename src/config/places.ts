/** Owns where things are kept on this machine unless the owner says otherwise (XDG). */

import { join } from 'node:path'

export interface Places {
  /** For the ledger and what else must not be lost. */
  readonly dataFolder: string
  /** For the key and the configuration file. */
  readonly configFolder: string
}

export type Environment = Readonly<Record<string, string | undefined>>

const folderName = 'secondwind'

/** A relative XDG path is to be ignored, says its specification. */
export function findPlaces(env: Environment, home: string): Places {
  const folder = (variable: string, fallback: string) => {
    const given = env[variable]
    return join(given?.startsWith('/') === true ? given : join(home, fallback), folderName)
  }
  return {
    dataFolder: folder('XDG_DATA_HOME', '.local/share'),
    configFolder: folder('XDG_CONFIG_HOME', '.config'),
  }
}
