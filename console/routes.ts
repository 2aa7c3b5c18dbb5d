/** The state of a workspace page. All of it is in the URL, so that every view can be linked. */
export interface WorkspaceSearch {
  ticket?: string | undefined
  tab?: WorkTab | undefined
  pane?: Pane | undefined
  view?: TicketView | undefined
  q?: string | undefined
  status?: string | undefined
  type?: string | undefined
  priority?: string | undefined
  label?: string | undefined
}

export const DESK_STATES = ['open', 'answered', 'closed'] as const
export type DeskState = (typeof DESK_STATES)[number]

export const TICKET_VIEWS = ['list', 'board', 'tree'] as const
export type TicketView = (typeof TICKET_VIEWS)[number]

export const WORK_TABS = ['plan', 'build', 'ticket'] as const
export type WorkTab = (typeof WORK_TABS)[number]

/** The panes of a workspace; a narrow screen shows one at a time. */
export const WORKSPACE_PANES = ['tickets', 'work', 'preview'] as const
export type Pane = (typeof WORKSPACE_PANES)[number]

/** The filters of the activity log. Days are written like `2026-01-31`. */
export interface ActivitySearch {
  project?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export const RUN_VIEWS = ['list', 'tokens', 'history'] as const
export type RunView = (typeof RUN_VIEWS)[number]

export const CAPABILITY_TABS = ['settings', 'live'] as const
export type CapabilityTab = (typeof CAPABILITY_TABS)[number]

/** The search parameters of a capability's page: `key` is a stored file, `q` a search among people. */
export interface CapabilitySearch {
  tab?: CapabilityTab | undefined
  q?: string | undefined
  key?: string | undefined
}

/** The search parameters of a collection's page: a search, a sort order, filters, and the open record as `partition/id`. */
export interface CollectionSearch {
  q?: string | undefined
  /** An indexed field; a leading `-` sorts descending. */
  sort?: string | undefined
  /** Filters on indexed fields as JSON. */
  where?: string | undefined
  record?: string | undefined
}

/** The open file (`path`) and its version (`sha`), by default the newest one. */
export interface CodeSearch {
  path?: string | undefined
  sha?: string | undefined
}

export interface VersionSearch {
  sha?: string | undefined
  base?: string | undefined
}

/** Builds every URL of the console. No URL is written by hand elsewhere. */
export const href = {
  home: () => '/',
  signIn: (next?: string) => withQuery('/sign-in', { next }),
  signUp: (next?: string) => withQuery('/sign-up', { next }),
  twoFactor: (next?: string) => withQuery('/two-factor', { next }),
  reset: (token?: string) => withQuery('/reset', { token }),
  /** With an `email` the page says “check your mail”. Without an `email` it is the page that the link in that mail opens. */
  verifyEmail: (search: { email?: string; next?: string | undefined } = {}) =>
    withQuery('/verify-email', { ...search }),
  invitation: (invitationId: string) => `/invite/${encodeURIComponent(invitationId)}`,
  welcome: () => '/welcome',
  device: (code?: string) => withQuery('/device', { code }),
  projects: (q?: string) => withQuery('/projects', { q }),
  newProject: () => '/projects#new',
  project: (projectId: string, search: WorkspaceSearch = {}) =>
    withQuery(`/projects/${encodeURIComponent(projectId)}`, { ...search }),
  activity: (search: ActivitySearch = {}) => withQuery('/activity', { ...search }),
  /** `lines` is the URL fragment that names lines: `L12` or `L12-L20`. */
  code: (projectId: string, search: CodeSearch = {}, lines?: string) =>
    withQuery(`${href.project(projectId)}/code`, { ...search }) + (lines ? `#${lines}` : ''),
  versions: (projectId: string, search: VersionSearch = {}) =>
    withQuery(`${href.project(projectId)}/versions`, { ...search }),
  runs: (projectId: string, view?: RunView) => withQuery(`${href.project(projectId)}/runs`, { view }),
  run: (projectId: string, runId: string) => `${href.runs(projectId)}/${encodeURIComponent(runId)}`,
  projectSettings: (projectId: string) => `${href.project(projectId)}/settings`,
  ship: (projectId: string) => `${href.project(projectId)}/ship`,
  insights: (projectId: string) => `${href.project(projectId)}/insights`,
  domain: (projectId: string) => `${href.project(projectId)}/domain`,
  assets: (projectId: string) => `${href.project(projectId)}/assets`,
  capabilities: (projectId: string) => `${href.project(projectId)}/capabilities`,
  capability: (projectId: string, key: string, search: CapabilitySearch = {}) =>
    withQuery(`${href.project(projectId)}/capabilities/${encodeURIComponent(key)}`, { ...search }),
  collection: (projectId: string, collection: string, search: CollectionSearch = {}) =>
    withQuery(`${href.project(projectId)}/capabilities/data/${encodeURIComponent(collection)}`, {
      ...search,
    }),
  account: () => '/account',
  help: () => '/help',
  helpThread: (threadId: string) => `/help/${encodeURIComponent(threadId)}`,
  desk: (state?: DeskState) => withQuery('/desk', { state }),
  deskThread: (threadId: string) => `/desk/${encodeURIComponent(threadId)}`,
  deletion: () => '/account/deletion',
  settings: () => '/settings',
  organization: () => '/settings/organization',
  members: () => '/settings/members',
  models: () => '/settings/models',
  connections: () => '/settings/connections',
  keys: () => '/settings/keys',
  webhooks: () => '/settings/webhooks',
  ingest: () => '/settings/ingest',
  security: () => '/settings/security',
  billing: () => '/settings/billing',
}

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

/** Returns the path to open after a sign-in. It is always a path of this console, never the URL of another site. */
export function safeReturnPath(next: string | undefined): string {
  // Browsers ignore tabs and line breaks in a URL, so `/<tab>/evil.test` is another site, too.
  return next && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(next) ? next : href.home()
}
