import { href } from '../../../console/routes.ts'
import { type Screen, untilRoleVisible } from './screen.ts'

export const SIGNED_OUT_SCREENS: Screen[] = [
  { name: 'sign-in', path: href.signIn(), ready: untilRoleVisible('heading', 'Sign in') },
  { name: 'sign-up', path: href.signUp(), ready: untilRoleVisible('heading', 'Create your account') },
  { name: 'two-factor', path: href.twoFactor(), ready: untilRoleVisible('heading', 'Enter your code') },
  { name: 'reset', path: href.reset(), ready: untilRoleVisible('heading', 'Set a new password') },
  {
    name: 'reset-link',
    path: href.reset('token'),
    ready: untilRoleVisible('heading', 'Choose a new password'),
  },
  {
    name: 'verify-email',
    path: href.verifyEmail({ email: 'ada@example.test' }),
    ready: untilRoleVisible('heading', 'Check your mail'),
  },
  {
    name: 'invitation-unknown',
    reports: /404/,
    path: href.invitation('unknown'),
    ready: untilRoleVisible('heading', 'This invitation is unknown'),
  },
  {
    name: 'verified',
    path: href.verifyEmail(),
    ready: untilRoleVisible('heading', 'Your address is verified'),
  },
]
