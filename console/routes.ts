/** What of a project is on screen; the address always says it, so every view is a link. */
export interface WorkspaceSearch {
  ticket?: string | undefined
  tab?: WorkTab | undefined
  pane?: Pane | undefined
}

export const WORK_TABS = ['build', 'ticket'] as const
export type WorkTab = (typeof WORK_TABS)[number]

/** The panes of a workspace; on a narrow screen one of them fills it. */
export const PANES = ['tickets', 'work', 'preview'] as const
export type Pane = (typeof PANES)[number]

/** Every address of the console. Links are made from here and never written by hand. */
export const href = {
  home: () => '/',
  signIn: (next?: string) => withQuery('/sign-in', { next }),
  signUp: (next?: string) => withQuery('/sign-up', { next }),
  device: (code?: string) => withQuery('/device', { code }),
  projects: (q?: string) => withQuery('/projects', { q }),
  project: (projectId: string, search: WorkspaceSearch = {}) =>
    withQuery(`/projects/${encodeURIComponent(projectId)}`, { ...search }),
  settings: () => '/settings',
  models: () => '/settings/models',
  connections: () => '/settings/connections',
  keys: () => '/settings/keys',
}

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

/** The place to go after signing in: a path of this console, never another site's address. */
export function safeReturnPath(next: string | undefined): string {
  if (!next || !next.startsWith('/') || next.startsWith('//') || next.includes('\\')) return href.projects()
  return next
}
