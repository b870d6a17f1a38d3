/** Owns the addresses of the screens. Each screen is fetched when it is first visited. */

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { Loading, ScreenTrouble } from './design/situations.tsx'
import { Door } from './screens/entry/door.tsx'
import { Lost } from './screens/entry/lost.tsx'
import {
  accountsSearch,
  auditSearch,
  impactSearch,
  inboxSearch,
  policySearch,
  postsSearch,
} from './shell/search.ts'

const root = createRootRoute({ component: Door, notFoundComponent: Lost })
const parent = { getParentRoute: () => root }

const home = createRoute({
  ...parent,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/home/home-screen.tsx'), 'HomeScreen'),
})
const inbox = createRoute({
  ...parent,
  path: '/inbox',
  validateSearch: inboxSearch,
  component: lazyRouteComponent(() => import('./screens/inbox/inbox-screen.tsx'), 'InboxScreen'),
})
const posts = createRoute({
  ...parent,
  path: '/posts',
  validateSearch: postsSearch,
  component: lazyRouteComponent(() => import('./screens/posts/posts-screen.tsx'), 'PostsScreen'),
})
const post = createRoute({
  ...parent,
  path: '/posts/$postId',
  component: lazyRouteComponent(() => import('./screens/post/post-screen.tsx'), 'PostScreen'),
})
const action = createRoute({
  ...parent,
  path: '/actions/$actionId',
  component: lazyRouteComponent(() => import('./screens/action/action-screen.tsx'), 'ActionScreen'),
})
const impact = createRoute({
  ...parent,
  path: '/impact',
  validateSearch: impactSearch,
  component: lazyRouteComponent(() => import('./screens/impact/impact-screen.tsx'), 'ImpactScreen'),
})
const accounts = createRoute({
  ...parent,
  path: '/accounts',
  validateSearch: accountsSearch,
  component: lazyRouteComponent(
    () => import('./screens/accounts/accounts-screen.tsx'),
    'AccountsScreen',
  ),
})
const callback = createRoute({
  ...parent,
  path: '/sign-in/callback',
  component: lazyRouteComponent(
    () => import('./screens/accounts/callback-screen.tsx'),
    'CallbackScreen',
  ),
})
const policy = createRoute({
  ...parent,
  path: '/policy',
  validateSearch: policySearch,
  component: lazyRouteComponent(() => import('./screens/policy/policy-screen.tsx'), 'PolicyScreen'),
})
const system = createRoute({
  ...parent,
  path: '/system',
  component: lazyRouteComponent(() => import('./screens/system/system-screen.tsx'), 'SystemScreen'),
})
const audit = createRoute({
  ...parent,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./screens/audit/audit-screen.tsx'), 'AuditScreen'),
})

const routeTree = root.addChildren([
  home,
  inbox,
  posts,
  post,
  action,
  impact,
  accounts,
  callback,
  policy,
  system,
  audit,
])

export function createAppRouter() {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: Loading,
    defaultErrorComponent: ScreenTrouble,
    // Plain text both ways: an id or a search that looks like a number stays what it is.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: toSearchText,
  })
}

function toSearchText(search: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
