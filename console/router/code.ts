import { createRoute } from '@tanstack/react-router'
import { appRoute } from './root.ts'
import { textParam } from './search.ts'
import { lazyScreen } from './screen.ts'

const codeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/code',
  validateSearch: (search: Record<string, unknown>) => ({
    ...textParam('path', search),
    ...textParam('sha', search),
  }),
  component: lazyScreen(() => import('../screens/code/code.tsx'), 'Code'),
})
const versionsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/versions',
  validateSearch: (search: Record<string, unknown>) => ({
    ...textParam('sha', search),
    ...textParam('base', search),
  }),
  component: lazyScreen(() => import('../screens/versions/versions.tsx'), 'Versions'),
})
const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$projectId/settings',
  component: lazyScreen(() => import('../screens/project-settings/project-settings.tsx'), 'ProjectSettings'),
})

export const codeRoutes = [codeRoute, versionsRoute, settingsRoute] as const
