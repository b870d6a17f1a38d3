/**
 * Owns the key file: one key a line, the first seals, the others still open. It is made once and
 * never overwritten, and only its owner may read it. Losing it loses every sealed secret, so each
 * change is a whole new file that takes the old one's name when it is safely on the disk.
 */

import { randomBytes } from 'node:crypto'
import nodeFs from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { KeyRing } from './vault.ts'
import { VaultError } from './vault-error.ts'
import { VaultKey } from './vault-key.ts'

/** What is used of `node:fs`; a test passes one in which something happens in between. */
export type KeyFileSystem = Pick<
  typeof nodeFs,
  | 'closeSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'linkSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readFileSync'
  | 'realpathSync'
  | 'renameSync'
  | 'rmSync'
  | 'writeFileSync'
>

export const machineKeyFileSystem: KeyFileSystem = nodeFs

const onlyOwner = 0o600
const onlyOwnerDirectory = 0o700
const groupAndOthers = 0o077
const isWindows = process.platform === 'win32'

const header = `# Keys of Second Wind: the first seals, all of them open. Whoever has this file and
# the ledger has the accounts. Keep a copy, and not in the same place as the ledger's backups.
`

/** Null where there is no such file. */
export function readKeyFile(path: string, fs = machineKeyFileSystem): KeyRing | null {
  const text = readText(fs, path)
  return text === null ? null : parseKeyFile(text, path)
}

/** Makes the file with a new key. Where another process was faster, its key is the one to use. */
export function makeKeyFile(path: string, fs = machineKeyFileSystem): KeyRing {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`
  try {
    fs.mkdirSync(dirname(path), { recursive: true, mode: onlyOwnerDirectory })
    const file = fs.openSync(temporary, 'wx', onlyOwner)
    try {
      writeAndClose(fs, file, () => `${header}${VaultKey.make()}\n`)
      // A link never takes the place of a file that is there, which a rename would.
      fs.linkSync(temporary, path)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      fs.rmSync(temporary, { force: true })
    }
    syncDirectory(fs, dirname(path))
  } catch (error) {
    throw unusable(path, 'made', error)
  }
  const ring = readKeyFile(path, fs)
  if (ring === null) throw new VaultError('key_file', `${path} vanished while it was being made`)
  return ring
}

/** Puts a new key in front. Everything sealed before still opens; reseal it at leisure. */
export function rotateKeyFile(path: string, fs = machineKeyFileSystem): KeyRing {
  if (readText(fs, path) === null) {
    throw new VaultError('key_file', `${path} does not exist; there is nothing to rotate`)
  }
  const target = fs.realpathSync(path)
  const next = `${target}.next`
  try {
    // Its name is fixed, so that it also keeps a second rotation out until this one is done.
    const file = fs.openSync(next, 'wx', onlyOwner)
    try {
      writeAndClose(fs, file, () => {
        // Read only now: a rotation that ended just before has added a key.
        const text = readText(fs, target) ?? ''
        parseKeyFile(text, path)
        return `${header}${VaultKey.make()}\n${keyLines(text).join('\n')}\n`
      })
      fs.renameSync(next, target)
    } catch (error) {
      fs.rmSync(next, { force: true })
      throw error
    }
    syncDirectory(fs, dirname(target))
  } catch (error) {
    if (error instanceof VaultError) throw error
    if (codeOf(error) !== 'EEXIST') throw unusable(path, 'rotated', error)
    throw new VaultError(
      'key_file',
      `${next} exists: another rotation runs or was interrupted; if none runs, remove that file`,
    )
  }
  return parseKeyFile(readText(fs, path) ?? '', path)
}

function readText(fs: KeyFileSystem, path: string): string | null {
  let file: number
  try {
    file = fs.openSync(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw unusable(path, 'read', error)
  }
  try {
    // The open file is looked at, not its name: a name can lead elsewhere a moment later.
    requirePrivate(fs.fstatSync(file), path)
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw error instanceof VaultError ? error : unusable(path, 'read', error)
  } finally {
    fs.closeSync(file)
  }
}

function requirePrivate(stats: nodeFs.Stats, path: string): void {
  if (!stats.isFile()) throw new VaultError('key_file', `${path} is not a file`)
  // Windows has no such bits; there the directory's own rights decide.
  if (isWindows || (stats.mode & groupAndOthers) === 0) return
  throw new VaultError(
    'open_key_file',
    `${path} can be read by others on this machine; run \`chmod 600 ${path}\`, and if someone ` +
      'may have read it, rotate the key',
  )
}

function parseKeyFile(text: string, path: string): KeyRing {
  const [current, ...older] = text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), field: `${path}, line ${index + 1}` }))
    .filter(({ line }) => isKeyLine(line))
    .map(({ line, field }) => VaultKey.parse(line, field))
  if (current === undefined) {
    throw new VaultError('bad_key', `${path} holds no key; restore it from a copy`)
  }
  return { current, older }
}

function keyLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(isKeyLine)
}

const isKeyLine = (line: string) => line !== '' && !line.startsWith('#')

function writeAndClose(fs: KeyFileSystem, file: number, makeText: () => string): void {
  try {
    fs.writeFileSync(file, makeText())
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** A name in a directory is safe once the directory is on the disk as well. */
function syncDirectory(fs: KeyFileSystem, directory: string): void {
  // Windows cannot open a directory to flush it.
  if (isWindows) return
  const handle = fs.openSync(resolve(directory), 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : 'unknown error'
}

function unusable(path: string, verb: string, cause: unknown): VaultError {
  return new VaultError('key_file', `${path} could not be ${verb} (${codeOf(cause)})`, { cause })
}
