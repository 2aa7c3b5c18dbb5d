import { href } from '../../../console/routes.ts'
import { type Screen, seen } from './screen.ts'

export const ORGANIZATION_SCREENS: Screen[] = [
  { name: 'welcome', path: href.welcome(), ready: seen('button', 'Test model') },
  { name: 'projects', path: href.projects(), ready: seen('heading', 'Your projects') },
  { name: 'projects-none-found', path: href.projects('zebra'), ready: seen('heading', /zebra/) },
  { name: 'activity', path: href.activity(), ready: seen('button', 'Export CSV') },
  { name: 'account', path: href.account(), ready: seen('button', 'Add a passkey') },
  { name: 'account-deletion', path: href.deletion(), ready: seen('button', 'Delete my account') },
  { name: 'not-found', reports: /404/, path: '/nowhere', ready: seen('heading', 'Not found') },
]
