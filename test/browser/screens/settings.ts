import { href } from '../../../console/routes.ts'
import { type Screen, seen } from './screen.ts'

export const SETTINGS_SCREENS: Screen[] = [
  { name: 'organization', path: href.organization(), ready: seen('button', 'Leave organization') },
  {
    name: 'members',
    path: href.members(),
    ready: (page) => page.getByText('No open invitations.').waitFor(),
  },
  { name: 'models', path: href.models(), ready: seen('button', /^Test$/) },
  { name: 'connections', path: href.connections(), ready: seen('heading', 'Cloudflare') },
  { name: 'keys', path: href.keys(), ready: seen('heading', 'No keys yet') },
  { name: 'webhooks', path: href.webhooks(), ready: seen('heading', 'No webhooks yet') },
  { name: 'ingest', path: href.ingest(), ready: seen('heading', 'No ingest sources yet') },
  { name: 'security', path: href.security(), ready: seen('button', 'Save settings') },
]
