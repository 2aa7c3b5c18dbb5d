import { createRoute, redirect } from '@tanstack/react-router'
import { DESK_STATES } from '../routes.ts'
import { readActivitySearch } from '../screens/activity/filter.ts'
import { appRoute } from './root.ts'
import { firstScreen, lazyScreen } from './screen.ts'
import { oneOf, textParam } from './search.ts'

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  beforeLoad: async () => {
    const { homePath } = await import('../screens/welcome/home.ts')
    throw redirect({ href: await homePath(), replace: true })
  },
})
const welcomeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/welcome',
  component: lazyScreen(() => import('../screens/welcome/welcome.tsx'), 'Welcome'),
})
const projectsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects',
  validateSearch: (search: Record<string, unknown>) => textParam('q', search),
  component: firstScreen(() => import('../screens/projects/projects.tsx'), 'Projects'),
})
const activityRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/activity',
  validateSearch: readActivitySearch,
  component: lazyScreen(() => import('../screens/activity/activity.tsx'), 'Activity'),
})

/** The user's own account, the same in every organization. */
const accountRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/account',
  component: lazyScreen(() => import('../screens/account/account.tsx'), 'Account'),
})

const deletionRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/account/deletion',
  component: lazyScreen(() => import('../screens/account/deletion/deletion.tsx'), 'Deletion'),
})
const helpRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/help',
  component: lazyScreen(() => import('../screens/help/help.tsx'), 'Help'),
})
const conversationRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/help/$threadId',
  component: lazyScreen(() => import('../screens/help/conversation.tsx'), 'Conversation'),
})
/** The help desk: the conversations of all organizations, for the operator. */
const deskRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/desk',
  validateSearch: (search: Record<string, unknown>) => oneOf('state', DESK_STATES, search),
  component: lazyScreen(() => import('../screens/help/help-desk.tsx'), 'HelpDesk'),
})
const deskConversationRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/desk/$threadId',
  component: lazyScreen(() => import('../screens/help/help-desk-conversation.tsx'), 'HelpDeskConversation'),
})

export const organizationRoutes = [
  homeRoute,
  welcomeRoute,
  projectsRoute,
  activityRoute,
  accountRoute,
  deletionRoute,
  helpRoute,
  conversationRoute,
  deskRoute,
  deskConversationRoute,
] as const
