/** Local servers for one test each: some speak HTTP, and one says whatever bytes it likes. */

import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { CertifiedKey } from './certificate.ts'

/** A listening server that closes, with all its connections, at the end of the scope. */
export interface LocalServer extends AsyncDisposable {
  readonly port: number
  /** For the list of allowed hosts. */
  readonly host: string
  readonly url: string
  /** How many connections it has seen. */
  connections(): number
  /** Resolves when a connection ends, from whichever side. */
  readonly disconnected: Promise<void>
}

export function serve(listener: RequestListener): Promise<LocalServer> {
  return listen(createHttpServer(listener), 'http')
}

export function serveSecurely(
  { key, certificate }: CertifiedKey,
  listener: RequestListener,
): Promise<LocalServer> {
  return listen(createHttpsServer({ key, cert: certificate }, listener), 'https')
}

export function serveBytes(handle: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createTcpServer(handle), 'http')
}

/** Answers a request of any kind with these bytes, and keeps the connection open. */
export function answerBytes(bytes: string | Buffer): (socket: Socket) => void {
  return (socket) => socket.once('data', () => socket.write(bytes))
}

async function listen(server: Server, scheme: 'http' | 'https'): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  let count = 0
  const disconnected = Promise.withResolvers<void>()
  server.on('connection', (socket: Socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      disconnected.resolve()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  return {
    port,
    host,
    url: `${scheme}://${host}`,
    connections: () => count,
    disconnected: disconnected.promise,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
