import { globSync, readFileSync } from 'node:fs'
import { CAPABILITY_KEYS } from '../../runtime/capabilities.ts'
import { ROOT } from '../lib.ts'
import allowedCasts from './json-casts.json' with { type: 'json' }
import { castBreaks } from './json-casts.ts'
import { namingBreaks } from './names.ts'
import allowedRowCasts from './row-casts.json' with { type: 'json' }
import { rowCastBreaks } from './row-casts.ts'
import { breaksOf, ownerlessTables, type Rules } from './rules.ts'
import allowedTypeCasts from './type-casts.json' with { type: 'json' }
import { typeCastBreaks } from './type-casts.ts'

const SERVER_LAYERS = [
  ['lib', 'crypto', 'metrics', 'version.ts', 'resource-names.ts', 'billing-plans.ts'],
  ['db', 'environment.ts'],
  // `sql` has parts of SQL statements and `statements` has whole statements, with a file for each folder that owns tables. These files use
  // only the database, so every layer above may import them.
  ['sql'],
  ['config.ts'],
  ['core.ts'],
  ['statements', 'scheduled-task.ts'],
  ['http'],
  ['cloudflare', 'git', 'leases', 'relay'],
  ['github', 'stripe', 'capability-declaration'],
  // A capability is one folder, with its declaration. The agent derives an app's configuration from the declarations.
  ['capabilities/*/declaration.ts'],
  ['capability-catalog'],
  ['agent'],
  ['account-port.ts', 'mail-port.ts'],
  ['resource-ports.ts'],
  ['platform.ts', 'usage'],
  ['jobs'],
  ['schedule'],
  ['endpoint.ts', 'events', 'mail'],
  ['history', 'membership', 'activity', 'admin', 'docs', 'health', 'me'],
  ['keys', 'projects', 'snapshot', 'webhooks'],
  ['moves', 'deployments'],
  ['capability-state'],
  ['connections', 'device', 'source'],
  ['auth', 'resources'],
  ['attachments', 'domain', 'invitations', 'security'],
  ['capabilities', 'help', 'sso', 'tickets', 'admin-commands'],
  ['ingest', 'relocation'],
  ['members', 'releases'],
  ['backup', 'builds', 'signals'],
  ['billing', 'closing', 'plan', 'versions'],
  ['account'],
  // `tables` lists what the folders declare: endpoints, jobs, scheduled tasks, metrics.
  ['app.ts', 'console.ts', 'tables'],
  ['process'],
]

const RUNTIME_BELOW = [
  // Modules that are generated for each app, with its pages, code and names. These modules are the lowest layer, so that all others may
  // import them.
  ['handlers.gen.ts', 'manifest.gen.ts', 'pages.gen.ts', 'types.gen.ts'],
  ['bytes', 'capabilities.ts', 'look.ts'],
  ['kernel'],
  // `web` uses `guard`, because a request of a page may have a bot check token. `live` uses `call`, for calls in a live room.
  ['call', 'guard'],
  ['web'],
  ['data'],
  ['directory', 'ui'],
]

const RUNTIME_ABOVE = [
  ['email'],
  ['auth'],
  ['ai', 'connect', 'pay', 'team'],
  ['assets'],
  ['mounts.ts', 'object-parts.ts', 'object-types.ts', 'operators.ts'],
  ['workers'],
]

const namedInRuntime = new Set([...RUNTIME_BELOW, ...RUNTIME_ABOVE].flat())

/**
 * All capabilities that these lists do not name share one layer: each may import the layers below, but no other capability of its layer.
 */
const RUNTIME_LAYERS = [
  ...RUNTIME_BELOW,
  CAPABILITY_KEYS.filter((key) => !namedInRuntime.has(key)),
  ...RUNTIME_ABOVE,
]

const KERNEL_LAYERS = [
  // Plain values and checks, independent of workers and Durable Objects.
  [
    'depth.ts',
    'bytes.ts',
    'durations.ts',
    'json-text.ts',
    'secrets.ts',
    'fold.ts',
    'retry-after.ts',
    'manifest.ts',
  ],
  ['errors.ts'],
  ['fields.ts'],
  ['file-name.ts', 'public-url.ts', 'variable.ts', 'window.ts'],
  ['objects'],
  ['worker'],
  ['access'],
  ['pages'],
]

const CONSOLE_LAYERS = [
  ['lib', 'routes.ts', 'deferred-parts.ts'],
  ['text'],
  ['api'],
  ['first-view.ts', 'ui'],
  ['deferred.ts'],
  // The frame around every page, and the parts that pages use: toasts, keyboard shortcuts, drafts.
  ['shell'],
  // State that several screens of a browser tab share: the builds that the tab follows, changes of tickets.
  ['state', 'editor'],
  ['screens'],
  ['router'],
]

const SCREEN_LAYERS = [
  [
    'assets',
    'capabilities',
    'code',
    'device',
    'domain',
    'help',
    'insights',
    'projects',
    'settings',
    'sign-in',
    'versions',
  ],
  ['account', 'activity', 'deployments', 'invitation', 'welcome'],
  ['gates', 'shipping'],
  ['builds'],
  ['plan', 'preview', 'project-settings', 'runs'],
  ['tickets'],
  ['workspace'],
]

const LOCAL_LAYERS = [
  ['world'],
  ['faults', 'model', 'oauth', 'push'],
  ['cloudflare', 'github', 'stripe'],
  ['control', 'mail'],
]

const LOCAL_CLOUDFLARE_LAYERS = [
  ['types.ts', 'is-record.ts'],
  ['store'],
  ['accounts', 'workerd'],
  ['rest'],
  ['observability'],
  ['products'],
  ['runtime'],
  ['scripts'],
  ['clean-up.ts', 'routes.ts'],
]

const LAYER_RULES: Rules = {
  layers: {
    server: SERVER_LAYERS,
    runtime: RUNTIME_LAYERS,
    'runtime/kernel': KERNEL_LAYERS,
    console: CONSOLE_LAYERS,
    'console/screens': SCREEN_LAYERS,
    local: LOCAL_LAYERS,
    'local/cloudflare': LOCAL_CLOUDFLARE_LAYERS,
  },
  withoutCircles: {
    server: ['capability-catalog -> capabilities'],
    runtime: [],
    console: [],
    local: [],
    bench: [],
  },
  withoutCirclesInside: ['server', 'runtime', 'console', 'local', 'bench'],
  owners: {
    account: 'auth',
    activity: 'activity',
    api_keys: 'keys',
    app_erasures: 'capabilities',
    app_mail_domains: 'capabilities',
    app_mailboxes: 'capabilities',
    asset_uploads: 'capabilities',
    assets: 'capabilities',
    attachments: 'attachments',
    backups: 'backup',
    billing_customers: 'billing',
    billing_events: 'billing',
    build_pause: 'admin',
    build_queue: 'builds',
    build_starts: 'builds',
    capabilities: 'capabilities',
    capability_secrets: 'capabilities',
    cloud_accounts: 'connections',
    connections: 'connections',
    deletion_runs: 'account',
    deliveries: 'webhooks',
    deployments: 'deployments',
    device_grants: 'device',
    domains: 'domain',
    encryption_keys: 'crypto',
    events: 'events',
    git_objects: 'git',
    git_refs: 'git',
    help_attachments: 'help',
    help_messages: 'help',
    help_threads: 'help',
    history_events: 'history',
    ideas: 'ingest',
    idempotency_keys: 'http',
    ingest_sources: 'ingest',
    invitation: 'auth',
    label_counts: 'tickets',
    mails: 'mail',
    member: 'auth',
    model_connections: 'connections',
    moves: 'moves',
    oauth_states: 'connections',
    organization: 'auth',
    organization_settings: 'admin',
    passkey: 'auth',
    pay_codes: 'capabilities',
    pay_key_checks: 'capabilities',
    pay_products: 'capabilities',
    plan_messages: 'plan',
    preview_errors: 'builds',
    processes: 'jobs',
    project_leases: 'leases',
    projects: 'projects',
    rate_limits: 'http',
    resource_tasks: 'resources',
    resources: 'resources',
    run_events: 'builds',
    run_inputs: 'builds',
    run_steps: 'builds',
    runs: 'builds',
    schema_migrations: 'db',
    scheduled_tasks: 'schedule',
    security_policies: 'security',
    session: 'auth',
    ssoProvider: 'auth',
    sso_domains: 'auth',
    ticket_counts: 'tickets',
    ticket_rollups: 'tickets',
    tickets: 'tickets',
    token_limits: 'usage',
    token_months: 'usage',
    token_usage: 'usage',
    twoFactor: 'auth',
    user: 'auth',
    verification: 'auth',
    versions: 'history',
    webhook_endpoints: 'webhooks',
  },
  sharedOwnership: { 'capability-state': 'capabilities', releases: 'deployments', sso: 'auth' },
}

const readSources = (patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) }).map(
    (path) => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }),
  )
const sources = readSources([
  'server/**/*.ts',
  'console/**/*.{ts,tsx}',
  'runtime/**/*.{ts,tsx}',
  'local/**/*.ts',
  'sdk/*.ts',
])
const tools = readSources(['bench/**/*.ts', 'scripts/**/*.ts'])
const brokenRules = [
  ...breaksOf([...sources, ...tools], LAYER_RULES),
  ...ownerlessTables(readFileSync(`${ROOT}/server/db/schema.sql`, 'utf8'), LAYER_RULES.owners),
  ...castBreaks(sources, allowedCasts),
  ...rowCastBreaks(sources, allowedRowCasts),
  ...typeCastBreaks([...sources, ...tools], allowedTypeCasts),
  ...namingBreaks(sources),
]
if (sources.length === 0) throw new Error('no source was found')
for (const sentence of brokenRules) process.stdout.write(`${sentence}\n`)
process.exitCode = brokenRules.length === 0 ? 0 : 1
