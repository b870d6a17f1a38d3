/** The command `keys rotate`: a new key, and every credential sealed with it. */

import type { Command } from 'commander'
import { plural } from '../../core/wording.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { Vault, loadKeys, rotateKeyFile } from '../../vault/index.ts'
import type { Sealer } from '../../vault/index.ts'
import { addCommand } from '../call.ts'
import type { Call } from '../call.ts'
import { openInstallation } from '../installation.ts'
import { CommandError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('The key that seals credentials.')
  addCommand(keys, terminal, {
    usage: 'rotate',
    summary: 'make a new key in the key file and seal every credential with it',
    run: rotate,
  })
}

async function rotate(call: Call): Promise<void> {
  await using installation = await openInstallation(call)
  const { config, ledger } = installation
  const isGiven = config.key !== null
  if (call.dryRun) {
    const count = (await sealed(ledger)).length
    const what = isGiven ? 'the key that was given' : `a new key in ${config.keyFile}`
    call.out.show({ credentials: count }, () => {
      return `Would seal ${plural(count, 'credential')} with ${what}.`
    })
    return
  }
  const vault = isGiven ? installation.vault : new Vault(rotated(config.keyFile))
  const resealed = await resealAll(ledger, vault)
  call.out.show({ resealed, keyFile: isGiven ? null : config.keyFile }, () =>
    [
      `Sealed ${plural(resealed, 'credential')} with the ${isGiven ? 'given' : 'new'} key.`,
      'Restart every process of this installation, so that it knows the key. ' +
        'Keep the old one for as long as you keep backups.',
    ].join('\n'),
  )
}

function rotated(keyFile: string) {
  // A file that is not there is made: that is no rotation, but leaves what was asked for.
  loadKeys({ env: {}, keyFile })
  return rotateKeyFile(keyFile)
}

async function sealed(ledger: Ledger) {
  return (await ledger.listAccounts()).filter(({ credentials }) => credentials !== null)
}

async function resealAll(ledger: Ledger, vault: Sealer): Promise<number> {
  let count = 0
  for (const { id, credentials } of await sealed(ledger)) {
    if (credentials === null || !vault.needsReseal(credentials)) continue
    const context = { accountId: id, purpose: 'credentials' }
    const isStored = await ledger.replaceCredentials(
      id,
      credentials,
      vault.reseal(credentials, context),
    )
    if (!isStored) {
      throw new CommandError(
        `The credentials of ${id} changed meanwhile; run secondwind keys rotate again.`,
      )
    }
    count += 1
  }
  return count
}
