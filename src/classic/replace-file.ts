/**
 * Owns replacing a file so that a crash, a full disk or a power cut leaves either the old text or
 * the new one, never a part: a temporary file beside it, flushed, renamed over it, the directory
 * flushed.
 */

import nodeFs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { systemRandom } from '../system.ts'

/** What is used of `node:fs`; a test passes one that fails. */
export type FileSystem = Pick<
  typeof nodeFs,
  | 'closeSync'
  | 'fchmodSync'
  | 'fsyncSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readFileSync'
  | 'readlinkSync'
  | 'realpathSync'
  | 'renameSync'
  | 'rmSync'
  | 'statSync'
  | 'writeFileSync'
>

/** The machine's own. */
export const machineFileSystem: FileSystem = nodeFs

const mostLinks = 40
const permissionBits = 0o7777

/**
 * Writes `text` to `path`, and its directory where there is none. Until the rename nothing has
 * changed; where the last flush fails the new text is in place but may not survive a power cut.
 */
export function replaceFile(fs: FileSystem, path: string, text: string): void {
  const target = followLinks(fs, path)
  const directory = dirname(target)
  const firstMade = fs.mkdirSync(directory, { recursive: true })
  const temporary = join(directory, `.secondwind-${systemRandom.id()}.tmp`)
  const file = fs.openSync(temporary, 'wx')
  try {
    writeDurably(fs, file, text, permissionsOf(fs, target))
    fs.renameSync(temporary, target)
  } catch (error) {
    removeQuietly(fs, temporary)
    throw error
  }
  syncDirectories(fs, directory, firstMade)
}

/**
 * Where a path leads in the end, so that the file is replaced and not a link to it. The last link
 * may lead to a file that does not exist yet.
 */
export function followLinks(fs: FileSystem, path: string): string {
  let current = path
  for (let links = 0; links < mostLinks; links += 1) {
    let link: string
    try {
      link = fs.readlinkSync(current)
    } catch {
      // Not a link, or not there; anything worse shows when the file itself is opened.
      return current
    }
    current = resolve(fs.realpathSync(dirname(current)), link)
  }
  throw new Error(`${path} leads through more than ${mostLinks} links`)
}

function permissionsOf(fs: FileSystem, target: string): number | null {
  const stats = fs.statSync(target, { throwIfNoEntry: false })
  return stats === undefined ? null : stats.mode & permissionBits
}

function writeDurably(
  fs: FileSystem,
  file: number,
  text: string,
  permissions: number | null,
): void {
  try {
    // Before the text, so that at no moment more people can read it than could before.
    if (permissions !== null) fs.fchmodSync(file, permissions)
    fs.writeFileSync(file, text)
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** The error to report is the one that came before, not that this failed as well. */
function removeQuietly(fs: FileSystem, path: string): void {
  try {
    fs.rmSync(path, { force: true })
  } catch {
    // It stays behind under a name that nothing reads.
  }
}

/** A rename, or a directory just made, is durable once the directory that names it is flushed. */
function syncDirectories(fs: FileSystem, directory: string, firstMade: string | undefined): void {
  // Windows cannot open a directory to flush it; there the file system orders the rename itself.
  if (process.platform === 'win32') return
  const last = firstMade === undefined ? directory : dirname(resolve(firstMade))
  for (let current = directory; ; current = dirname(current)) {
    syncDirectory(fs, current)
    if (current === last || current === dirname(current)) return
  }
}

function syncDirectory(fs: FileSystem, directory: string): void {
  const handle = fs.openSync(directory, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
