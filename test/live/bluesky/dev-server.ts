/**
 * The reference server in a process of its own. Says where it listens, and ends when its input
 * does, so that it never outlives the tests.
 */

import { once } from 'node:events'
import { listenLocally } from './listen-locally.ts'

/** The part of the package that is used; it is installed for the live tests only. */
interface DevEnv {
  readonly TestNetworkNoAppView: {
    create(options: { readonly pds: Readonly<Record<string, unknown>> }): Promise<{
      readonly pds: { readonly port: number }
      readonly plc: { readonly url: string }
      close(): Promise<void>
    }>
  }
}

listenLocally()
const packageName = '@atproto/dev-env'
const { TestNetworkNoAppView } = (await import(packageName)) as DevEnv
const [, , bskyAppViewUrl] = process.argv
const network = await TestNetworkNoAppView.create({ pds: { bskyAppViewUrl } })
const url = `http://127.0.0.1:${network.pds.port}`
process.stdout.write(`${JSON.stringify({ url, directory: network.plc.url })}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await network.close()
process.exit(0)
