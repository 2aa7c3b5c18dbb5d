import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { isSignedOut, queryClient } from './api/queries.ts'
import { meQuery } from './api/session.ts'
import {
  href,
  PANES,
  safeReturnPath,
  WORK_TABS,
  type WorkspaceSearch,
  CAPABILITY_TABS,
  type CapabilitySearch,
  type CollectionSearch,
} from './routes.ts'
import { readConnectionReturn } from './screens/settings/connection-search.ts'
import { readActivitySearch } from './screens/activity/filter.ts'
import { BrokenPage } from './shell/broken-page.tsx'
import { NotFound } from './shell/not-found.tsx'

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: BrokenPage,
})

const signedOut = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-out',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === 'string' ? { next: search.next } : {},
  component: lazyRouteComponent(() => import('./screens/sign-in/welcome-page.tsx'), 'WelcomePage'),
})
const signIn = createRoute({
  getParentRoute: () => signedOut,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in.tsx'), 'SignIn'),
})
const signUp = createRoute({
  getParentRoute: () => signedOut,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-up.tsx'), 'SignUp'),
})

/** Signs in first; the place asked for is kept for the way back. */
async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  try {
    await queryClient.ensureQueryData(meQuery())
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ href: href.signIn(safeReturnPath(location.href)) })
    throw error
  }
}

/** Stands alone: who comes here from a terminal wants this and nothing else. */
const device = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device',
  validateSearch: (search: Record<string, unknown>): { code?: string } =>
    typeof search.code === 'string' && search.code !== '' ? { code: search.code } : {},
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./screens/device/device.tsx'), 'Device'),
})

/** Everything behind the sign-in. */
const app = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./shell/frame.tsx'), 'Frame'),
})
const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: href.projects() })
  },
})
const projects = createRoute({
  getParentRoute: () => app,
  path: '/projects',
  validateSearch: (search: Record<string, unknown>): { q?: string } =>
    typeof search.q === 'string' && search.q !== '' ? { q: search.q } : {},
  component: lazyRouteComponent(() => import('./screens/projects/projects.tsx'), 'Projects'),
})
const project = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId',
  validateSearch: readWorkspaceSearch,
  component: lazyRouteComponent(() => import('./screens/workspace/workspace.tsx'), 'Workspace'),
})
const activity = createRoute({
  getParentRoute: () => app,
  path: '/activity',
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(() => import('./screens/activity/activity.tsx'), 'Activity'),
})
const ship = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId/ship',
  component: lazyRouteComponent(() => import('./screens/shipping/ship-page.tsx'), 'ShipPage'),
})
const insights = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId/insights',
  component: lazyRouteComponent(() => import('./screens/insights/insights.tsx'), 'Insights'),
})
const domain = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId/domain',
  component: lazyRouteComponent(() => import('./screens/domain/domain.tsx'), 'Domain'),
})
const assets = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId/assets',
  component: lazyRouteComponent(() => import('./screens/assets/assets.tsx'), 'Assets'),
})
const capabilities = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId/capabilities',
  component: lazyRouteComponent(() => import('./screens/capabilities/capabilities.tsx'), 'Capabilities'),
})
const capability = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId/capabilities/$key',
  validateSearch: (search: Record<string, unknown>): CapabilitySearch => ({
    ...pick('tab', CAPABILITY_TABS, search.tab),
    ...(typeof search.key === 'string' && search.key !== '' && { key: search.key }),
  }),
  component: lazyRouteComponent(() => import('./screens/capabilities/capability.tsx'), 'Capability'),
})
const collection = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId/capabilities/data/$collection',
  validateSearch: (search: Record<string, unknown>): CollectionSearch => ({
    ...(typeof search.q === 'string' && search.q !== '' && { q: search.q }),
    ...(typeof search.record === 'string' && search.record !== '' && { record: search.record }),
  }),
  component: lazyRouteComponent(() => import('./screens/capabilities/collection.tsx'), 'Collection'),
})
const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'Settings'),
})
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: href.models(), replace: true })
  },
})
const models = createRoute({
  getParentRoute: () => settings,
  path: '/models',
  component: lazyRouteComponent(() => import('./screens/settings/models.tsx'), 'Models'),
})
const connections = createRoute({
  getParentRoute: () => settings,
  path: '/connections',
  validateSearch: readConnectionReturn,
  component: lazyRouteComponent(() => import('./screens/settings/connections.tsx'), 'Connections'),
})
const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: lazyRouteComponent(() => import('./screens/settings/keys.tsx'), 'Keys'),
})

function readWorkspaceSearch(search: Record<string, unknown>): WorkspaceSearch {
  return {
    ...(typeof search.ticket === 'string' && { ticket: search.ticket }),
    ...pick('tab', WORK_TABS, search.tab),
    ...pick('pane', PANES, search.pane),
  }
}

function pick<K extends string, T extends string>(
  name: K,
  allowed: readonly T[],
  value: unknown,
): { [P in K]?: T } {
  const known = allowed.find((item) => item === value)
  return known ? ({ [name]: known } as { [P in K]?: T }) : {}
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signedOut.addChildren([signIn, signUp]),
    device,
    app.addChildren([
      home,
      projects,
      project,
      activity,
      ship,
      insights,
      domain,
      assets,
      capabilities,
      capability,
      collection,
      settings.addChildren([settingsHome, models, connections, keys]),
    ]),
  ]),
  defaultPreload: false,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
