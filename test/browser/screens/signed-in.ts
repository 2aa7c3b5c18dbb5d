import type { Page } from 'playwright-core'
import { href } from '../../../console/routes.ts'
import type { BrowserWorld } from '../world.ts'
import { type Screen, untilRoleVisible } from './screen.ts'

/** Builds a project as Ada and returns every screen of it and of the organization. */
export async function signedInScreens(world: BrowserWorld): Promise<Screen[]> {
  const { projectId } = await world.build('Track the plants in my office: name, room, last watered date')
  const runs = await world.person.call<{ items: { id: string }[] }>(`GET /projects/${projectId}/runs`)
  return [
    ...ORGANIZATION_SCREENS,
    ...SETTINGS_SCREENS,
    ...projectScreens(projectId),
    ...ticketScreens(projectId),
    ...codeScreens(projectId),
    ...runScreens(projectId, runs.items[0]?.id ?? ''),
  ]
}

const ORGANIZATION_SCREENS: Screen[] = [
  { name: 'welcome', path: href.welcome(), ready: untilRoleVisible('button', 'Test model') },
  { name: 'projects', path: href.projects(), ready: untilRoleVisible('heading', 'Your projects') },
  { name: 'projects-none-found', path: href.projects('zebra'), ready: untilRoleVisible('heading', /zebra/) },
  { name: 'activity', path: href.activity(), ready: untilRoleVisible('button', 'Export CSV') },
  { name: 'account', path: href.account(), ready: untilRoleVisible('button', 'Add a passkey') },
  { name: 'account-deletion', path: href.deletion(), ready: untilRoleVisible('button', 'Delete my account') },
  { name: 'not-found', reports: /404/, path: '/nowhere', ready: untilRoleVisible('heading', 'Not found') },
]

const SETTINGS_SCREENS: Screen[] = [
  {
    name: 'organization',
    path: href.organization(),
    ready: untilRoleVisible('button', 'Leave organization'),
  },
  {
    name: 'members',
    path: href.members(),
    ready: (page) => page.getByText('No open invitations.').waitFor(),
  },
  { name: 'models', path: href.models(), ready: untilRoleVisible('button', /^Test$/) },
  { name: 'connections', path: href.connections(), ready: untilRoleVisible('heading', 'Cloudflare') },
  { name: 'keys', path: href.keys(), ready: untilRoleVisible('heading', 'No keys yet') },
  { name: 'webhooks', path: href.webhooks(), ready: untilRoleVisible('heading', 'No webhooks yet') },
  { name: 'ingest', path: href.ingest(), ready: untilRoleVisible('heading', 'No ingest sources yet') },
  { name: 'security', path: href.security(), ready: untilRoleVisible('button', 'Save settings') },
]

/** The pages of one project that has a build and has never been shipped. */
const projectScreens = (projectId: string): Screen[] => [
  {
    name: 'workspace-build',
    path: href.project(projectId, { tab: 'build' }),
    ready: untilRoleVisible('heading', /^Ready$/),
  },
  {
    name: 'workspace-ticket',
    path: href.project(projectId, { tab: 'ticket' }),
    ready: untilRoleVisible('heading', 'Details'),
  },
  {
    name: 'workspace-plan',
    path: href.project(projectId, { tab: 'plan' }),
    ready: untilRoleVisible('heading', 'What comes next?'),
  },
  {
    name: 'workspace-tickets',
    path: href.project(projectId, { pane: 'tickets' }),
    ready: untilRoleVisible('button', /Track the plants/),
  },
  {
    name: 'workspace-preview',
    path: href.project(projectId, { pane: 'preview' }),
    ready: untilRoleVisible('button', 'Reload the preview'),
  },
  { name: 'ship', path: href.ship(projectId), ready: untilRoleVisible('heading', 'Before it ships') },
  {
    name: 'insights',
    path: href.insights(projectId),
    ready: untilRoleVisible('heading', 'No figures right now'),
  },
  {
    name: 'capabilities',
    path: href.capabilities(projectId),
    ready: untilRoleVisible('heading', 'Accounts and sign-in'),
  },
  {
    name: 'capability',
    path: href.capability(projectId, 'files'),
    ready: async (page) => {
      await untilRoleVisible('heading', 'File uploads')(page)
      await untilRoleVisible('button', 'Save settings')(page)
    },
  },
  {
    name: 'collection-not-live',
    reports: /404/,
    path: href.collection(projectId, 'plants'),
    ready: untilRoleVisible('heading', 'Ship once to see it'),
  },
  { name: 'assets', path: href.assets(projectId), ready: untilRoleVisible('heading', 'No assets yet') },
  { name: 'domain', path: href.domain(projectId), ready: untilRoleVisible('heading', 'No domain yet') },
  {
    name: 'project-not-found',
    reports: /404/,
    path: href.project('prj_unknown'),
    ready: untilRoleVisible('heading', 'Not found'),
  },
]

const TICKET = { name: /^Track the plants/ }

/** The views of a project's tickets, one of which was built. */
const ticketScreens = (projectId: string): Screen[] => [
  {
    name: 'tickets-board',
    path: href.project(projectId, { view: 'board', status: 'in_review', pane: 'tickets' }),
    ready: (page) =>
      page.getByRole('group', { name: 'Board', exact: true }).getByRole('button', TICKET).waitFor(),
  },
  {
    name: 'tickets-tree',
    path: href.project(projectId, { view: 'tree', pane: 'tickets' }),
    ready: (page) => page.getByRole('treegrid').getByRole('button', TICKET).first().waitFor(),
  },
  {
    name: 'tickets-none-found',
    path: href.project(projectId, { q: 'zebra', label: 'none', pane: 'tickets' }),
    ready: untilRoleVisible('heading', 'No ticket matches'),
  },
  {
    name: 'ticket-missing',
    reports: /404/,
    path: href.project(projectId, { ticket: 'tkt_unknown', tab: 'ticket' }),
    ready: untilRoleVisible('heading', 'This ticket was not found'),
  },
]

const codeIsShown = (page: Page) => page.locator('.cm-line').first().waitFor()

const codeScreens = (projectId: string): Screen[] => [
  {
    name: 'code',
    path: href.code(projectId),
    ready: (page) => page.getByRole('treeitem', { name: 'app.json' }).waitFor(),
  },
  {
    name: 'code-file',
    path: href.code(projectId, { path: 'app.json' }, 'L5-L8'),
    ready: (page) => page.locator('.cm-shown-line').first().waitFor(),
  },
  {
    name: 'code-gone',
    path: href.code(projectId, { path: 'pages/Nowhere.tsx' }),
    ready: untilRoleVisible('heading', 'pages/Nowhere.tsx is not in this version'),
  },
  { name: 'versions', path: href.versions(projectId), ready: untilRoleVisible('button', 'Back up now') },
  {
    name: 'version',
    path: href.versions(projectId),
    ready: async (page) => {
      await page.getByRole('list', { name: 'Versions, newest first' }).getByRole('link').first().click()
      await codeIsShown(page)
    },
  },
  {
    name: 'project-settings',
    path: href.projectSettings(projectId),
    ready: untilRoleVisible('heading', 'Name and address'),
  },
  {
    name: 'version-unknown',
    path: href.versions(projectId, { sha: 'ffffffff' }),
    ready: untilRoleVisible('heading', 'This version does not exist'),
  },
]

const runScreens = (projectId: string, runId: string): Screen[] => [
  {
    name: 'runs',
    path: href.runs(projectId),
    ready: (page) => page.getByRole('link', { name: /Track the plants/ }).waitFor(),
  },
  {
    name: 'runs-tokens',
    path: href.runs(projectId, 'tokens'),
    ready: (page) => page.getByRole('table', { name: 'Tokens by model' }).waitFor(),
  },
  {
    name: 'runs-history',
    path: href.runs(projectId, 'history'),
    ready: (page) => page.getByRole('link', { name: 'Open this build' }).first().waitFor(),
  },
  { name: 'run', path: href.run(projectId, runId), ready: untilRoleVisible('heading', 'Build log') },
  {
    name: 'run-not-found',
    reports: /404/,
    path: href.run(projectId, 'run_unknown'),
    ready: untilRoleVisible('heading', 'Not found'),
  },
]
