/** Keeps a package that would listen to the whole world to this machine. */

import { Server } from 'node:net'

type Listen = (this: Server, ...options: unknown[]) => Server

/** From now on, for all of this process. */
export function listenLocally(): void {
  const listen = Object.getOwnPropertyDescriptor(Server.prototype, 'listen')?.value as Listen
  const locally: Listen = function (first, ...rest) {
    const isOpen = typeof rest[0] !== 'string' && typeof first !== 'string'
    const given = typeof first === 'object' ? first : { port: first }
    return listen.call(this, ...(isOpen ? [{ host: '127.0.0.1', ...given }] : [first]), ...rest)
  }
  Object.assign(Server.prototype, { listen: locally })
}
