import { createRoute, redirect } from '@tanstack/react-router'
import { DESK_STATES } from '../routes.ts'
import { readActivitySearch } from '../screens/activity/filter.ts'
import { appRoute } from './root.ts'
import { firstScreen, lazyScreen } from './screen.ts'
import { oneOf, text } from './search.ts'

const home = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  beforeLoad: async () => {
    const { homePath } = await import('../screens/welcome/home.ts')
    throw redirect({ href: await homePath(), replace: true })
  },
})
const welcome = createRoute({
  getParentRoute: () => appRoute,
  path: '/welcome',
  component: lazyScreen(() => import('../screens/welcome/welcome.tsx'), 'Welcome'),
})
const projects = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects',
  validateSearch: (search: Record<string, unknown>) => text('q', search),
  component: firstScreen(() => import('../screens/projects/projects.tsx'), 'Projects'),
})
const activity = createRoute({
  getParentRoute: () => appRoute,
  path: '/activity',
  validateSearch: readActivitySearch,
  component: lazyScreen(() => import('../screens/activity/activity.tsx'), 'Activity'),
})

/** The user's own account, the same in every organization. */
const account = createRoute({
  getParentRoute: () => appRoute,
  path: '/account',
  component: lazyScreen(() => import('../screens/account/account.tsx'), 'Account'),
})

const deletion = createRoute({
  getParentRoute: () => appRoute,
  path: '/account/deletion',
  component: lazyScreen(() => import('../screens/account/deletion/deletion.tsx'), 'Deletion'),
})
const help = createRoute({
  getParentRoute: () => appRoute,
  path: '/help',
  component: lazyScreen(() => import('../screens/help/help.tsx'), 'Help'),
})
const conversation = createRoute({
  getParentRoute: () => appRoute,
  path: '/help/$threadId',
  component: lazyScreen(() => import('../screens/help/conversation.tsx'), 'Conversation'),
})
/** The help desk: the conversations of all organizations, for the operator. */
const desk = createRoute({
  getParentRoute: () => appRoute,
  path: '/desk',
  validateSearch: (search: Record<string, unknown>) => oneOf('state', DESK_STATES, search),
  component: lazyScreen(() => import('../screens/help/help-desk.tsx'), 'HelpDesk'),
})
const deskConversation = createRoute({
  getParentRoute: () => appRoute,
  path: '/desk/$threadId',
  component: lazyScreen(() => import('../screens/help/help-desk-conversation.tsx'), 'HelpDeskConversation'),
})

export const organizationRoutes = [
  home,
  welcome,
  projects,
  activity,
  account,
  deletion,
  help,
  conversation,
  desk,
  deskConversation,
] as const
