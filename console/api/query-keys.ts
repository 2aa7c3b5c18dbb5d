import type { CapabilityKey } from '@slipway/sdk/capabilities.gen.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * The keys of everything in the query cache. Invalidating a key also invalidates every key that begins with it, so an `all` key invalidates
 * its whole group. Keys that must not be invalidated together therefore begin with different words.
 */
export const queryKeys = {
  me: ['me'],
  visitor: ['visitor'],
  account: {
    all: ['account'],
    password: ['account', 'password'],
    passkeys: ['account', 'passkeys'],
    sessions: ['account', 'sessions'],
  },
  deletion: ['deletion'],
  help: {
    all: ['help'],
    list: ['help', 'list'],
    one: (threadId: string) => ['help', 'one', threadId],
  },
  desk: {
    lists: ['desk', 'list'],
    list: (state: string) => ['desk', 'list', state],
    one: (threadId: string) => ['desk', 'one', threadId],
  },
  device: (code: string) => ['device', code],
  invitation: (invitationId: string) => ['invitation', invitationId],

  organizations: {
    all: ['organizations'],
    role: (organizationId: string) => ['organizations', 'role', organizationId],
    invited: ['organizations', 'invited'],
  },
  members: { all: ['members'], invitations: ['members', 'invitations'] },
  /**
   * The API keys, webhooks and ingest sources of a member. This key does not begin with `members`, because
   * removing a member invalidates `members`, and a request for a removed member's objects returns 404.
   */
  belongings: (memberId: string) => ['belongings', memberId],
  apiKeys: ['keys'],
  webhooks: ['webhooks'],
  ingest: ['ingest'],
  security: ['security'],
  billing: ['billing'],
  sso: ['sso'],
  activity: (filter: object) => ['activity', filter],
  attention: ['attention'],
  connections: {
    all: ['connections'],
    accounts: ['connections', 'accounts'],
    moves: ['connections', 'moves'],
    ceilings: ['connections', 'ceilings'],
  },
  models: {
    all: ['models'],
    local: ['models', 'local'],
    limits: ['models', 'limits'],
    ofProject: (projectId: string) => ['models', 'project', projectId],
  },

  projects: {
    all: ['projects'],
    lists: ['projects', 'list'],
    list: (q: string) => ['projects', 'list', q],
    one: (projectId: string) => ['projects', 'one', projectId],
    found: (q: string) => ['projects', 'found', q],
    access: (projectId: string) => ['projects', 'access', projectId],
  },
  tickets: {
    all: ['tickets'],
    recent: (projectId: string) => ['tickets', 'recent', projectId],
    one: (projectId: string, ticketId: string) => ['tickets', 'one', projectId, ticketId],
    allPages: (projectId: string) => ['tickets', 'pages', projectId],
    pages: (projectId: string, filter: object) => ['tickets', 'pages', projectId, filter],
    wholeTree: (projectId: string) => ['tickets', 'tree', projectId],
    tree: (projectId: string, page: object) => ['tickets', 'tree', projectId, page],
    stats: (projectId: string) => ['tickets', 'stats', projectId],
    labels: (projectId: string) => ['tickets', 'labels', projectId],
    allRollups: (projectId: string) => ['tickets', 'rollups', projectId],
    rollups: (projectId: string, ids: readonly string[]) => ['tickets', 'rollups', projectId, ids],
    found: (projectId: string, q: string) => ['tickets', 'found', projectId, q],
  },
  plan: {
    thread: (projectId: string) => ['plan', 'thread', projectId],
    readmes: ['plan', 'readme'],
    readme: (projectId: string) => ['plan', 'readme', projectId],
    /**
     * A ticket that a reply in the plan thread names. This key does not begin with `tickets`, because every change of a ticket would then
     * refetch all tickets that the thread names.
     */
    ticket: (projectId: string, ticketId: string) => ['plan', 'ticket', projectId, ticketId],
  },
  queue: { all: ['queue'], of: (projectId: string) => ['queue', projectId] },
  runs: {
    all: ['runs'],
    list: (projectId: string) => ['runs', 'list', projectId],
    one: (projectId: string, runId: string) => ['runs', 'one', projectId, runId],
    frames: (projectId: string, runId: string) => ['runs', 'frames', projectId, runId],
    usage: (projectId: string) => ['runs', 'usage', projectId],
  },
  versions: {
    all: ['versions'],
    list: (projectId: string) => ['versions', 'list', projectId],
    history: (projectId: string) => ['versions', 'history', projectId],
    packages: (projectId: string) => ['versions', 'packages', projectId],
  },
  /** This key does not begin with `versions`: a new version invalidates `versions`, but a diff between two commits never changes. */
  versionDiff: (projectId: string, sha: string, base: string | null) => [
    'versions-diff',
    projectId,
    sha,
    base,
  ],
  versionSource: (projectId: string, head: string) => ['versions-source', projectId, head],
  deployments: {
    all: ['deployments'],
    state: (projectId: string) => ['deployments', 'state', projectId],
    readiness: (projectId: string) => ['deployments', 'readiness', projectId],
    list: (projectId: string) => ['deployments', 'list', projectId],
  },
  domain: (projectId: string) => ['domain', projectId],
  insights: {
    analytics: (projectId: string) => ['insights', 'analytics', projectId],
    errors: (projectId: string) => ['insights', 'errors', projectId],
    traffic: ['insights', 'traffic'],
  },
  assets: (projectId: string) => ['assets', projectId],
  capabilities: {
    list: (projectId: string) => ['capabilities', projectId],
    one: (projectId: string, key: string) => ['capabilities', projectId, key],
  },
  /** The live app's data of one capability. Each tab of a capability has its own keys below this key. */
  live: (projectId: string, capability: CapabilityKey, ...rest: readonly string[]) => [
    'live',
    projectId,
    capability,
    ...rest,
  ],
  collections: (projectId: string) => ['collections', projectId],
  records: {
    in: (projectId: string, collection: string) => ['records', projectId, collection],
    found: (projectId: string, collection: string, q: string) => [
      'records',
      projectId,
      collection,
      'found',
      q,
    ],
    pages: (projectId: string, collection: string, order: object) => [
      'records',
      projectId,
      collection,
      'pages',
      order,
    ],
    /** The labels of referenced records, which are shown instead of their ids. */
    named: (projectId: string, collection: string, ids: readonly string[]) => [
      'records',
      projectId,
      collection,
      'named',
      ids,
    ],
  },
  appUsers: (projectId: string) => ['app-users', projectId],
  attachment: (projectId: string, key: string) => ['attachment', projectId, key],
} as const

/** The query keys that become stale with each kind of change. */
export const changedBy = {
  /** Stale after a change of a role. The role may be the caller's own, which decides what the caller may do. */
  role: [queryKeys.members.all, queryKeys.me],
  memberRemoval: [
    queryKeys.members.all,
    queryKeys.me,
    queryKeys.apiKeys,
    queryKeys.webhooks,
    queryKeys.ingest,
  ],
  profile: [queryKeys.account.all, queryKeys.me],
  buildStart: [queryKeys.tickets.all, queryKeys.queue.all],
  buildEnd: [
    queryKeys.tickets.all,
    queryKeys.queue.all,
    queryKeys.runs.all,
    queryKeys.versions.all,
    queryKeys.deployments.all,
    queryKeys.projects.all,
  ],
  /** Stale after the app was shipped, archived or rolled back, or a resource was removed. */
  deployment: [queryKeys.deployments.all, queryKeys.projects.all],
  backup: (projectId: string) => [queryKeys.versions.all, queryKeys.projects.one(projectId)],
  revert: (projectId: string) => [
    queryKeys.versions.all,
    queryKeys.deployments.all,
    queryKeys.projects.one(projectId),
  ],
  recordChange: (projectId: string, collection: string) => [
    queryKeys.records.in(projectId, collection),
    queryKeys.collections(projectId),
  ],
} as const

/** Invalidates each of the keys. Resolves once the active queries are refetched. */
export const invalidateAll = (client: QueryClient, keys: readonly QueryKey[]) =>
  Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
