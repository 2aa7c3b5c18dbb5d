import { createRoute, redirect } from '@tanstack/react-router'
import { href } from '../routes.ts'
import { readCheckoutReturn } from '../screens/settings/billing/checkout-return.ts'
import { readConnectionReturn } from '../screens/settings/connections/connection-search.ts'
import { appRoute } from './root.ts'
import { lazyScreen } from './screen.ts'

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  component: lazyScreen(() => import('../screens/settings/settings.tsx'), 'Settings'),
})
const settingsHomeRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: href.organization(), replace: true })
  },
})
const organizationRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/organization',
  component: lazyScreen(
    () => import('../screens/settings/organization/organization.tsx'),
    'OrganizationSettings',
  ),
})
const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  component: lazyScreen(() => import('../screens/settings/members/members.tsx'), 'Members'),
})
const modelsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/models',
  component: lazyScreen(() => import('../screens/settings/models/models.tsx'), 'Models'),
})
const connectionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/connections',
  validateSearch: readConnectionReturn,
  component: lazyScreen(() => import('../screens/settings/connections/connections.tsx'), 'Connections'),
})
const keysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/keys',
  component: lazyScreen(() => import('../screens/settings/keys/keys.tsx'), 'Keys'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks',
  component: lazyScreen(() => import('../screens/settings/webhooks/webhooks.tsx'), 'Webhooks'),
})

const ingestRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/ingest',
  component: lazyScreen(() => import('../screens/settings/ingest/ingest.tsx'), 'Ingest'),
})

const securityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/security',
  component: lazyScreen(() => import('../screens/settings/security/security.tsx'), 'Security'),
})

const billingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/billing',
  validateSearch: readCheckoutReturn,
  component: lazyScreen(() => import('../screens/settings/billing/billing.tsx'), 'Billing'),
})

export const settingsRoutes = settingsRoute.addChildren([
  settingsHomeRoute,
  organizationRoute,
  membersRoute,
  modelsRoute,
  connectionsRoute,
  keysRoute,
  webhooksRoute,
  ingestRoute,
  securityRoute,
  billingRoute,
])
