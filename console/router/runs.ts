import { createRoute } from '@tanstack/react-router'
import { RUN_VIEWS } from '../routes.ts'
import { appRoute } from './root.ts'
import { oneOf } from './search.ts'
import { lazyScreen } from './screen.ts'

const runsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/runs',
  validateSearch: (search: Record<string, unknown>) => oneOf('view', RUN_VIEWS, search),
  component: lazyScreen(() => import('../screens/runs/runs-page.tsx'), 'RunsPage'),
})
const runRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/runs/$runId',
  component: lazyScreen(() => import('../screens/runs/run-page.tsx'), 'RunPage'),
})

export const runRoutes = [runsRoute, runRoute] as const
