/** The entry of the dashboard. */

import { CSPProvider } from '@base-ui/react/csp-provider'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionQuery } from './api/queries.ts'
import { ApiProblem } from './api/request.ts'
import { Toasts } from './design/toasts.tsx'
import { createAppRouter } from './router.tsx'
import './design/design.css'

const mostRetries = 2

/** What the server refused stays refused; only what went missing is worth asking again. */
function isWorthRetrying(count: number, error: Error): boolean {
  const isRefused = error instanceof ApiProblem && error.status >= 400 && error.status < 500
  return !isRefused && count < mostRetries
}

/** A session that ended elsewhere is noticed at the next question, and the door says so. */
function noticeSignOut(error: Error): void {
  const isSignedOut = error instanceof ApiProblem && error.status === 401
  if (isSignedOut) void client.invalidateQueries(sessionQuery)
}

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: {
    // Events say when an answer is old. Until then it is kept.
    queries: { staleTime: Infinity, retry: isWorthRetrying, retryDelay: 700 },
    mutations: { networkMode: 'always' },
  },
})
const router = createAppRouter()

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the dashboard')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
