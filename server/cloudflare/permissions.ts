/** A permission of the provider: its OAuth scope, its name on the page that creates API tokens, and the paths that it permits. */
export interface Permission {
  /** Has the form `<product>.<read or write>`. The scope to write includes the scope to read. */
  scope: string
  label: string
  /** Matches the permitted paths below the API's base address, with `:account` in place of the account's id. */
  opens: RegExp
  /**
   * The path of a GET request that needs this permission. This request is sent to find out what a pasted API token may
   * do, because the provider does not list the permissions of a token.
   */
  probe?: string
}

const ACCOUNT_PATH = '/accounts/:account'

/**
 * The permissions that every connection requests. R2 is included because attachments are stored there,
 * analytics because the console shows the request counts of every deployed app.
 */
const CORE_PERMISSIONS: readonly Permission[] = [
  { scope: 'user-details.read', label: 'User Details: Read', opens: /^\/user$/ },
  { scope: 'memberships.read', label: 'Memberships: Read', opens: /^\/memberships/ },
  {
    scope: 'account-settings.read',
    label: 'Account Settings: Read',
    opens: /^\/accounts(\/:account)?$/,
    probe: ACCOUNT_PATH,
  },
  {
    scope: 'workers-observability.read',
    label: 'Workers Observability: Read',
    opens: /^\/accounts\/:account\/workers\/observability/,
  },
  {
    scope: 'account-analytics.read',
    label: 'Account Analytics: Read',
    opens: /^(\/graphql$|\/accounts\/:account\/analytics_engine\b)/,
  },
  {
    scope: 'workers-scripts.write',
    label: 'Workers Scripts: Edit',
    opens: /^\/accounts\/:account\/(workers|workflows)\b/,
    probe: `${ACCOUNT_PATH}/workers/scripts`,
  },
  {
    scope: 'r2.write',
    label: 'Workers R2 Storage: Edit',
    opens: /^\/accounts\/:account\/r2\b/,
    probe: `${ACCOUNT_PATH}/r2/buckets`,
  },
]

/**
 * Permissions that are requested only when a custom domain or a capability of an app (such as queues or AI)
 * needs them.
 */
const OPTIONAL_PERMISSIONS: readonly Permission[] = [
  { scope: 'queues.write', label: 'Queues: Edit', ...accountPermission('queues') },
  { scope: 'd1.write', label: 'D1: Edit', ...accountPermission('d1/database') },
  { scope: 'kv.write', label: 'Workers KV Storage: Edit', ...accountPermission('storage/kv/namespaces') },
  { scope: 'ai.write', label: 'Workers AI: Edit', opens: /^\/accounts\/:account\/ai\// },
  { scope: 'aig.write', label: 'AI Gateway: Edit', ...accountPermission('ai-gateway/gateways') },
  {
    scope: 'browser-rendering.write',
    label: 'Browser Rendering: Edit',
    ...accountPermission('browser-rendering/devtools/session', 'browser-rendering'),
  },
  { scope: 'stream.write', label: 'Stream: Edit', ...accountPermission('stream/storage-usage', 'stream') },
  { scope: 'calls.write', label: 'Calls: Edit', ...accountPermission('calls/apps', 'calls') },
  {
    scope: 'challenge-widgets.write',
    label: 'Turnstile: Edit',
    ...accountPermission('challenges/widgets', 'challenges'),
  },
  { scope: 'email-sending.write', label: 'Email Sending: Edit', opens: /\/email\/sending\b/ },
  {
    scope: 'email-routing-address.write',
    label: 'Email Routing Addresses: Edit',
    opens: /\/email\/routing\/addresses\b/,
  },
  { scope: 'email-routing-rule.write', label: 'Email Routing Rules: Edit', opens: /\/email\/routing\b/ },
  { scope: 'routes.write', label: 'Workers Routes: Edit', opens: /^\/zones\/[^/]+\/workers\b/ },
  { scope: 'dns.write', label: 'DNS: Edit', opens: /^\/zones\/[^/]+\/dns_records\b/ },
  {
    scope: 'ssl-and-certificates.write',
    label: 'SSL and Certificates: Edit',
    opens: /^\/zones\/[^/]+\/ssl\b/,
  },
  { scope: 'zone.write', label: 'Zone: Edit', opens: /^\/zones\b/, probe: '/zones' },
]

function accountPermission(probe: string, prefix = probe.split('/')[0] ?? probe) {
  return { opens: new RegExp(`^/accounts/:account/${prefix}\\b`), probe: `${ACCOUNT_PATH}/${probe}` }
}

export const ALL_PERMISSIONS: readonly Permission[] = [...CORE_PERMISSIONS, ...OPTIONAL_PERMISSIONS]
export const CORE_SCOPES: readonly string[] = CORE_PERMISSIONS.map(({ scope }) => scope)
export const ALL_SCOPES: readonly string[] = ALL_PERMISSIONS.map(({ scope }) => scope)

/** Returns the permission that a request to this path needs, or null when none in this file covers the path. */
export const permissionFor = (path: string): Permission | null =>
  ALL_PERMISSIONS.find(({ opens }) => opens.test(path)) ?? null

/** Returns the scopes of `needed` that are not granted. A granted scope to write includes the scope to read. */
export function missingPermissions(granted: readonly string[], needed: readonly string[]): string[] {
  const held = new Set(granted)
  return needed.filter((scope) => !held.has(scope) && !held.has(scope.replace(/\.read$/, '.write')))
}
