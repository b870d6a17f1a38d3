/**
 * Owns installing the real servers of the live tests, beside this file and nowhere else. What is
 * there already stays; what cannot be had is said in words, with what to do about it.
 */

import { spawn } from 'node:child_process'
import { access, stat } from 'node:fs/promises'
import { platform } from 'node:os'
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
  bluesky: ['@atproto/dev-env/package.json', 'better-sqlite3/index.js'],
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
      ? 'Installing the real servers (about 450 MB, once) …'
      : 'Installing the real servers (about 30 MB, once) …',
  )
  const options = [
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    ...(needsAll ? [] : ['--omit=dev']),
  ]
  await npm(['ci', ...options], 'The real servers could not be installed')
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
async function npm(parts: readonly string[], problem: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const remedy = 'look at what npm says above, and run it again; --only leaves a network out'
  const child = spawn('npm', parts, {
    stdio: ['ignore', 'inherit', 'inherit'],
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
