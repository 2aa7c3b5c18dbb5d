import { createRoute } from '@tanstack/react-router'
import { requireSession, rootRoute } from './root.ts'
import { firstScreen, lazyScreen } from './screen.ts'
import { textParam } from './search.ts'

const signedOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-out',
  validateSearch: (search: Record<string, unknown>) => textParam('next', search),
  component: firstScreen(() => import('../screens/sign-in/welcome-page.tsx'), 'WelcomePage'),
})
const signInRoute = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => textParam('error', search),
  component: firstScreen(() => import('../screens/sign-in/sign-in.tsx'), 'SignIn'),
})
const signUpRoute = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/sign-up',
  component: firstScreen(() => import('../screens/sign-in/sign-up.tsx'), 'SignUp'),
})
const twoFactorRoute = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/two-factor',
  component: lazyScreen(() => import('../screens/sign-in/two-factor.tsx'), 'TwoFactorChallenge'),
})
const resetRoute = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/reset',
  validateSearch: (search: Record<string, unknown>) => ({
    ...textParam('token', search),
    ...textParam('error', search),
  }),
  component: lazyScreen(() => import('../screens/sign-in/reset.tsx'), 'Reset'),
})
const verifyEmailRoute = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/verify-email',
  validateSearch: (search: Record<string, unknown>) => ({
    ...textParam('email', search),
    ...textParam('error', search),
  }),
  component: lazyScreen(() => import('../screens/sign-in/verify-email.tsx'), 'VerifyEmail'),
})
const invitationRoute = createRoute({
  getParentRoute: () => signedOutRoute,
  path: '/invite/$invitationId',
  component: lazyScreen(() => import('../screens/invitation/invitation.tsx'), 'Invitation'),
})

/** This page has no navigation: people come here from a terminal only to approve a device. */
const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device',
  validateSearch: (search: Record<string, unknown>) => textParam('code', search),
  beforeLoad: requireSession,
  component: lazyScreen(() => import('../screens/device/device.tsx'), 'Device'),
})

export const signedOutRoutes = [
  signedOutRoute.addChildren([
    signInRoute,
    signUpRoute,
    twoFactorRoute,
    resetRoute,
    verifyEmailRoute,
    invitationRoute,
  ]),
  deviceRoute,
] as const
