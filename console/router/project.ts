import { createRoute } from '@tanstack/react-router'
import { PRIORITIES, TICKET_STATUSES, TICKET_TYPES } from '../api/types.ts'
import { CAPABILITY_TABS, WORKSPACE_PANES, TICKET_VIEWS, WORK_TABS } from '../routes.ts'
import { appRoute } from './root.ts'
import { lazyScreen } from './screen.ts'
import { oneOf, textParam } from './search.ts'

const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId',
  validateSearch: (search: Record<string, unknown>) => ({
    ...textParam('ticket', search),
    ...oneOf('tab', WORK_TABS, search),
    ...oneOf('pane', WORKSPACE_PANES, search),
    ...oneOf('view', TICKET_VIEWS, search),
    ...oneOf('status', TICKET_STATUSES, search),
    ...oneOf('type', TICKET_TYPES, search),
    ...oneOf('priority', PRIORITIES, search),
    ...textParam('label', search),
    ...textParam('q', search),
  }),
  component: lazyScreen(() => import('../screens/workspace/workspace.tsx'), 'Workspace'),
})
const shipRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/ship',
  component: lazyScreen(() => import('../screens/shipping/ship-page.tsx'), 'ShipPage'),
})
const insightsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/insights',
  component: lazyScreen(() => import('../screens/insights/insights.tsx'), 'Insights'),
})
const domainRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/domain',
  component: lazyScreen(() => import('../screens/domain/domain.tsx'), 'Domain'),
})
const assetsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/assets',
  component: lazyScreen(() => import('../screens/assets/assets.tsx'), 'Assets'),
})
const capabilitiesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/capabilities',
  component: lazyScreen(() => import('../screens/capabilities/capabilities.tsx'), 'Capabilities'),
})
const capabilityRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/capabilities/$key',
  validateSearch: (search: Record<string, unknown>) => ({
    ...oneOf('tab', CAPABILITY_TABS, search),
    ...textParam('q', search),
    ...textParam('key', search),
  }),
  component: lazyScreen(() => import('../screens/capabilities/capability.tsx'), 'Capability'),
})
const collectionRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/capabilities/data/$collection',
  validateSearch: (search: Record<string, unknown>) => ({
    ...textParam('q', search),
    ...textParam('sort', search),
    ...textParam('where', search),
    ...textParam('record', search),
  }),
  component: lazyScreen(() => import('../screens/capabilities/data/collection.tsx'), 'Collection'),
})

export const projectRoutes = [
  projectRoute,
  shipRoute,
  insightsRoute,
  domainRoute,
  assetsRoute,
  capabilitiesRoute,
  capabilityRoute,
  collectionRoute,
] as const
