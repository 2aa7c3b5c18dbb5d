import { href } from '../../../console/routes.ts'
import { type Screen, seen } from './screen.ts'

export const SIGNED_OUT_SCREENS: Screen[] = [
  { name: 'sign-in', path: href.signIn(), ready: seen('heading', 'Sign in') },
  { name: 'sign-up', path: href.signUp(), ready: seen('heading', 'Create your account') },
  { name: 'two-factor', path: href.twoFactor(), ready: seen('heading', 'Enter your code') },
  { name: 'reset', path: href.reset(), ready: seen('heading', 'Set a new password') },
  { name: 'reset-link', path: href.reset('token'), ready: seen('heading', 'Choose a new password') },
  {
    name: 'verify-email',
    path: href.verifyEmail({ email: 'ada@example.test' }),
    ready: seen('heading', 'Check your mail'),
  },
  {
    name: 'invitation-unknown',
    reports: /404/,
    path: href.invitation('unknown'),
    ready: seen('heading', 'This invitation is unknown'),
  },
  { name: 'verified', path: href.verifyEmail(), ready: seen('heading', 'Your address is verified') },
]
