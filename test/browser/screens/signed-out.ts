import { href } from '../../../console/routes.ts'
import { type Screen, seen } from './screen.ts'

/** Pages of somebody who is not signed in. */
export const SIGNED_OUT_SCREENS: Screen[] = [
  { name: 'sign-in', path: href.signIn(), ready: seen('heading', 'Sign in') },
  { name: 'sign-up', path: href.signUp(), ready: seen('heading', 'Create your account') },
]
