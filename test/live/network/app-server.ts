/**
 * The whole network in a process of its own: the reference server, the app's index behind it, and
 * the directory. Ends when whoever started it is gone.
 */

import { listenLocally } from '../bluesky/listen-locally.ts'

/** The part of the package that is used; it is installed for the live tests only. */
interface DevEnv {
  readonly TestNetwork: {
    create(options: {
      readonly dbPostgresUrl: string
      readonly dbPostgresSchema: string
    }): Promise<{
      readonly pds: { readonly port: number }
      readonly plc: { readonly url: string }
      processAll(): Promise<void>
      close(): Promise<void>
    }>
  }
}

listenLocally()
// The package wants to be told of a cache, and never asks it anything.
process.env['REDIS_HOST'] = '127.0.0.1'
const packageName = '@atproto/dev-env'
const { TestNetwork } = (await import(packageName)) as DevEnv
const dbPostgresUrl = process.env['APP_DATABASE_URL'] ?? ''
const network = await TestNetwork.create({ dbPostgresUrl, dbPostgresSchema: 'live' })
const url = `http://127.0.0.1:${network.pds.port}`

process.on('message', () => {
  void network.processAll().then(() => process.send?.({ kind: 'settled' }))
})
process.once('disconnect', () => {
  void network.close().finally(() => process.exit(0))
})
process.send?.({ kind: 'started', url, directory: network.plc.url })
