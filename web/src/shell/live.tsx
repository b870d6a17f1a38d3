/** Owns the one live feed of the page, and tells screens whether it is connected. */

import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Freshness } from '../api/freshness.ts'
import { LiveFeed } from '../api/live-feed.ts'
import type { Connection } from '../api/live-feed.ts'
import { sessionQuery } from '../api/queries.ts'

const ConnectionContext = createContext<Connection>('connecting')

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')
  useEffect(() => {
    const freshness = new Freshness(client)
    let wasLost = false
    const feed = new LiveFeed({
      onEvent: (type, data) => {
        const isAboutTheFeed = type === 'ready' || type === 'bye'
        if (!isAboutTheFeed) freshness.note(type, JSON.parse(data) as Record<string, string | null>)
      },
      onConnection: (next) => {
        // The feed misses no event, but questions may have gone unanswered meanwhile.
        if (next === 'live' && wasLost) freshness.noteEverything()
        wasLost = next === 'lost'
        setConnection(next)
        if (next === 'signed_out') void client.invalidateQueries(sessionQuery)
      },
    })
    feed.start()
    return () => feed.stop()
  }, [client])
  return <ConnectionContext value={connection}>{children}</ConnectionContext>
}

export function useConnection(): Connection {
  return useContext(ConnectionContext)
}
