import { globSync, readFileSync } from 'node:fs'
import { ROOT } from '../lib.ts'
import { breaksOf, type Rules } from './rules.ts'

/**
 * The declarations of a capability, without its actions: the agent derives the app's configuration and
 * grammar from them.
 */
const DECLARATIONS = [
  'capabilities/*/declaration.ts',
  'capabilities/assets/access.ts',
  'capabilities/capability.ts',
  'capabilities/catalog.ts',
  'capabilities/declarations.ts',
  'capabilities/manifest-fields.ts',
]

const RULES: Rules = {
  layers: [
    ['lib', 'crypto', 'metrics', 'version.ts', 'resources/names.ts'],
    ['db', 'config.ts'],
    ['cloudflare', 'git', 'relay'],
    ['github', 'stripe', ...DECLARATIONS],
    ['agent'],
    ['platform.ts', 'usage'],
    ['jobs'],
    ['schedule'],
    ['http', 'events', 'mail'],
    ['history', 'membership', 'activity', 'admin', 'docs', 'health', 'invitations', 'me'],
    ['keys', 'moves', 'projects', 'snapshot', 'webhooks'],
    ['connections', 'device', 'source'],
    ['auth', 'resources', 'signals'],
    ['attachments', 'domain', 'security'],
    ['capabilities', 'sso', 'tickets'],
    ['ingest', 'relocation'],
    ['members', 'releases'],
    ['backup', 'builds'],
    ['account', 'closing', 'plan', 'versions'],
  ],
  owners: {
    activity: 'events',
    api_keys: 'keys',
    app_erasures: 'capabilities',
    asset_uploads: 'capabilities',
    assets: 'capabilities',
    attachments: 'attachments',
    backups: 'backup',
    build_pause: 'admin',
    build_queue: 'builds',
    build_starts: 'builds',
    capabilities: 'capabilities',
    capability_secrets: 'capabilities',
    cloud_accounts: 'connections',
    connections: 'connections',
    deliveries: 'webhooks',
    deployments: 'releases',
    device_grants: 'device',
    domains: 'domain',
    encryption_keys: 'crypto',
    events: 'events',
    git_objects: 'git',
    git_refs: 'git',
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
    pay_codes: 'capabilities',
    pay_key_checks: 'capabilities',
    pay_products: 'capabilities',
    plan_messages: 'plan',
    preview_errors: 'builds',
    processes: 'jobs',
    projects: 'projects',
    rate_limits: 'http',
    resource_tasks: 'resources',
    resources: 'resources',
    run_events: 'builds',
    run_inputs: 'builds',
    run_steps: 'builds',
    runs: 'builds',
    scheduled_tasks: 'schedule',
    security_policies: 'security',
    session: 'auth',
    ticket_counts: 'tickets',
    ticket_rollups: 'tickets',
    tickets: 'tickets',
    token_usage: 'usage',
    twoFactor: 'auth',
    user: 'auth',
    verification: 'auth',
    versions: 'history',
    webhook_endpoints: 'webhooks',
  },
  upward: [],
  strangers: JSON.parse(readFileSync(new URL('foreign-sql.json', import.meta.url), 'utf8')) as string[],
}

const files = globSync(
  ['server/**/*.ts', 'console/**/*.{ts,tsx}', 'runtime/**/*.{ts,tsx}', 'local/**/*.ts', 'sdk/*.ts'],
  {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  },
)
const breaks = breaksOf(
  files.map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') })),
  RULES,
)
if (files.length === 0) throw new Error('no source was found')
for (const sentence of breaks) process.stdout.write(`${sentence}\n`)
process.exitCode = breaks.length === 0 ? 0 : 1
