import { createRoute, redirect } from '@tanstack/react-router'
import { href } from '../routes.ts'
import { readCheckoutReturn } from '../screens/settings/billing/checkout-return.ts'
import { readConnectionReturn } from '../screens/settings/connections/connection-search.ts'
import { appRoute } from './root.ts'
import { lazyScreen } from './screen.ts'

const settings = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  component: lazyScreen(() => import('../screens/settings/settings.tsx'), 'Settings'),
})
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: href.organization(), replace: true })
  },
})
const organization = createRoute({
  getParentRoute: () => settings,
  path: '/organization',
  component: lazyScreen(
    () => import('../screens/settings/organization/organization.tsx'),
    'OrganizationSettings',
  ),
})
const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyScreen(() => import('../screens/settings/members/members.tsx'), 'Members'),
})
const models = createRoute({
  getParentRoute: () => settings,
  path: '/models',
  component: lazyScreen(() => import('../screens/settings/models/models.tsx'), 'Models'),
})
const connections = createRoute({
  getParentRoute: () => settings,
  path: '/connections',
  validateSearch: readConnectionReturn,
  component: lazyScreen(() => import('../screens/settings/connections/connections.tsx'), 'Connections'),
})
const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: lazyScreen(() => import('../screens/settings/keys/keys.tsx'), 'Keys'),
})

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  component: lazyScreen(() => import('../screens/settings/webhooks/webhooks.tsx'), 'Webhooks'),
})

const ingest = createRoute({
  getParentRoute: () => settings,
  path: '/ingest',
  component: lazyScreen(() => import('../screens/settings/ingest/ingest.tsx'), 'Ingest'),
})

const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazyScreen(() => import('../screens/settings/security/security.tsx'), 'Security'),
})

const billing = createRoute({
  getParentRoute: () => settings,
  path: '/billing',
  validateSearch: readCheckoutReturn,
  component: lazyScreen(() => import('../screens/settings/billing/billing.tsx'), 'Billing'),
})

export const settingsRoutes = settings.addChildren([
  settingsHome,
  organization,
  members,
  models,
  connections,
  keys,
  webhooks,
  ingest,
  security,
  billing,
])
