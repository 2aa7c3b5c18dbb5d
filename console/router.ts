import { createRouter } from '@tanstack/react-router'
import { codeRoutes } from './router/code.ts'
import { organizationRoutes } from './router/organization.ts'
import { ROUTER_OPTIONS } from './router/options.ts'
import { projectRoutes } from './router/project.ts'
import { appRoute, rootRoute } from './router/root.ts'
import { runRoutes } from './router/runs.ts'
import { settingsRoutes } from './router/settings.ts'
import { signedOutRoutes } from './router/signed-out.ts'
import { BrokenPage } from './screens/gates/broken-page.tsx'

export const router = createRouter({
  ...ROUTER_OPTIONS,
  routeTree: rootRoute.addChildren([
    ...signedOutRoutes,
    appRoute.addChildren([
      ...organizationRoutes,
      ...projectRoutes,
      ...codeRoutes,
      ...runRoutes,
      settingsRoutes,
    ]),
  ]),
  defaultPreload: false,
  // When a page fails, the navigation beside it remains.
  defaultErrorComponent: BrokenPage,
  scrollRestoration: true,
  // The element that scrolls is the main part, not the window.
  scrollToTopSelectors: ['#content'],
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
