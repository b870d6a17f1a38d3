/**
 * Owns getting snac, a real server that speaks Mastodon's API: the Debian package, by its hash,
 * unpacked into a folder that is not kept under version control. It needs no rights for that.
 */

import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const version = '2.75-2~bpo12+1'
const sha256 = '587c5e5ffdc9e7ab3183aa45badfcc7bb5feb64afa4b2a92fd1a0202cb8fe138'
const file = `snac2_${version}_amd64.deb`
/** The second keeps what the first has removed. */
const sources = [
  `http://deb.debian.org/debian/pool/main/s/snac2/${file}`,
  `http://snapshot.debian.org/archive/debian-backports/20250601T000000Z/pool/main/s/snac2/${file}`,
]
const folder = join(import.meta.dirname, '..', 'node_modules', '.cache', `snac-${version}`)

/** The path of the program. `SNAC` names one that is there already. */
export async function installSnac(): Promise<string> {
  const given = process.env['SNAC']
  if (given !== undefined) return given
  const program = join(folder, 'usr', 'bin', 'snac')
  if (await isThere(program)) return program
  if (platform() !== 'linux' || arch() !== 'x64') {
    throw new Error('The package of snac is for Linux on x64; build it and name it in SNAC')
  }
  const fresh = `${folder}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  try {
    const archive = join(fresh, file)
    await writeFile(archive, await download())
    await run('dpkg-deb', ['-x', archive, fresh])
    await rename(fresh, folder)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another process was faster.
    if (!(await isThere(program))) throw error
  }
  return program
}

async function download(): Promise<Buffer> {
  for (const source of sources) {
    const response = await fetch(source).catch(() => null)
    if (response?.ok !== true) continue
    const bytes = Buffer.from(await response.arrayBuffer())
    if (hash('sha256', bytes, 'hex') === sha256) return bytes
  }
  throw new Error('The package of snac could not be had; install snac and name it in SNAC')
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
