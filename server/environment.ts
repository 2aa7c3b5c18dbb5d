import { Resolver } from 'node:dns'
import * as z from 'zod'
import { PLANS } from './billing-plans.ts'

/** The environment variables. All are optional; each description says what an empty value means. */

const portSetting = z.coerce.number().int().min(0).max(65535)
const countSetting = z.coerce.number().int().min(1)
const listSetting = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )

/** Ids of prices at Stripe, separated by commas. */
const pricesSetting = listSetting.pipe(
  z.array(z.string().regex(/^\w+$/, 'must be the id of a price of Stripe')),
)

/** Without `protocol`, `localhost:4300` would be accepted as a URL with the scheme `localhost`. */
const webAddress = z.url({ protocol: /^https?$/ })
/** The host may be empty: `postgresql:///name?host=/run/postgresql` names a Unix socket of this machine. */
const postgresAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be an address like postgres://user:password@host:5432/database',
})
const originOf = (url: string): string => new URL(url).origin

/** Returns whether `text` is an address that Node's resolver accepts: `192.0.2.53`, `127.0.0.1:5353`, `[::1]:5353`. */
function isDnsServer(text: string): boolean {
  try {
    new Resolver().setServers([text])
    return true
  } catch {
    return false
  }
}

export const Environment = z.object({
  SLIPWAY_PORT: portSetting.default(4300).describe('Port the service listens on. Empty: 4300.'),
  SLIPWAY_HOST: z
    .union([z.ipv4(), z.ipv6()])
    .optional()
    .describe(
      'Address the service listens on, like 127.0.0.1 behind a proxy on this machine or 0.0.0.0 in a container. Empty: this machine only while the base URL is on localhost, else every address.',
    ),
  SLIPWAY_BASE_URL: webAddress
    .optional()
    .describe('Public address of the service. Empty: http://localhost:<port>.'),
  SLIPWAY_INGEST_URL: webAddress
    .optional()
    .describe(
      'Public address to which ideas are posted, if it differs from the base URL. Empty: the base URL.',
    ),
  SLIPWAY_DATA_DIR: z
    .string()
    .default('.slipway')
    .describe('Database, secrets and local world. Empty: .slipway in the working directory.'),
  SLIPWAY_SECRETS: z
    .string()
    .optional()
    .describe('The secrets themselves, as JSON. Empty: read from the file.'),
  SLIPWAY_SECRETS_FILE: z
    .string()
    .optional()
    .describe('Path of the secrets file. Empty: secrets.json in the data directory.'),
  DATABASE_URL: postgresAddress.optional().describe('Any Postgres 15 or newer. Empty: an embedded Postgres.'),
  SLIPWAY_ROLE: z
    .enum(['all', 'web', 'worker'])
    .default('all')
    .describe('What this process does: serve requests (web), run jobs (worker), or both. Empty: both.'),
  SLIPWAY_LOCAL_WORLD: z
    .enum(['on', 'off'])
    .optional()
    .describe('The stand-ins for cloud and model. Empty: on unless a real provider is configured.'),
  SLIPWAY_LOCAL_PORT: portSetting.default(4310).describe('Port of the stand-ins. Empty: 4310.'),
  SLIPWAY_APPS_PORT: portSetting.default(4320).describe('Port of the apps of the local cloud. Empty: 4320.'),
  SLIPWAY_APPS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address the apps of the local cloud listen on. Empty: 127.0.0.1, this machine only.'),
  SLIPWAY_CHROMIUM: z
    .string()
    .optional()
    .describe(
      'Path of a Chromium in which checks open the pages of apps and the local cloud renders pages. Empty: searched in PATH and the usual places.',
    ),
  SLIPWAY_SEE_PAGES: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether checks open the pages of apps in that browser. Empty: on.'),
  SLIPWAY_LOCAL_CONTROL: z
    .enum(['on', 'off'])
    .default('off')
    .describe('Control routes of the stand-ins, for tests and development. Empty: off.'),
  SLIPWAY_CLOUDFLARE_CLIENT_ID: z
    .string()
    .optional()
    .describe("The operator's OAuth client. Empty: only the local cloud."),
  SLIPWAY_CLOUDFLARE_CLIENT_SECRET: z.string().optional().describe('Its secret. Empty: a public client.'),
  SLIPWAY_CLOUDFLARE_API: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Base address of Cloudflare's API, such as that of a proxy which all calls have to pass. Empty: https://api.cloudflare.com/client/v4.",
    ),
  SLIPWAY_CLOUDFLARE_APPS: z
    .string()
    .regex(/^https?:\/\/.*\{worker\}.*\{subdomain\}/, 'must contain {worker} and then {subdomain}')
    .optional()
    .describe(
      'Where the workers of an account are served, for an API of your own. Empty: https://{worker}.{subdomain}.workers.dev.',
    ),
  SLIPWAY_GITHUB_CLIENT_ID: z
    .string()
    .optional()
    .describe("The operator's OAuth app at GitHub. Empty: only the local code host."),
  SLIPWAY_GITHUB_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('Its secret, which GitHub asks for. Empty: people cannot sign in there.'),
  SLIPWAY_DEFAULT_PLAN: z
    .enum(PLANS)
    .optional()
    .describe(
      'Plan of a new organization, and of one whose subscription has ended. Empty: free with billing on; otherwise enterprise, which has no limits.',
    ),
  SLIPWAY_STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?:sk|rk)_(?:live|test)_\w+$/, 'must be a secret or restricted key of Stripe')
    .optional()
    .describe(
      "Key of the operator's Stripe account, to sell plans (docs/guides/billing.md). Empty: billing is off.",
    ),
  SLIPWAY_STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint')
    .optional()
    .describe(
      'Signing secret of the webhook endpoint that sends events to /api/v1/billing/webhook. Empty: billing is off.',
    ),
  SLIPWAY_STRIPE_PRICE_STARTER: pricesSetting.describe(
    'Id of the monthly or yearly price of Starter. With several, the first is sold and the others are those of older subscriptions. Empty: billing is off.',
  ),
  SLIPWAY_STRIPE_PRICE_PRO: pricesSetting.describe('The same for Pro. Empty: billing is off.'),
  SLIPWAY_KEY_LIMIT_PER_MINUTE: countSetting
    .default(300)
    .describe('Requests a minute per API key. Empty: 300.'),
  SLIPWAY_SESSION_LIMIT_PER_MINUTE: countSetting
    .default(600)
    .describe('Requests a minute per signed-in user. Empty: 600.'),
  SLIPWAY_ADDRESS_LIMIT_PER_MINUTE: countSetting
    .default(1200)
    .describe('Requests a minute per address before authentication. Empty: 1200.'),
  SLIPWAY_TRUSTED_PROXIES: listSetting.describe(
    'Addresses or CIDRs of the proxies whose X-Forwarded-For is trusted. Empty: none.',
  ),
  SLIPWAY_OUTBOUND_ALLOW: listSetting.describe(
    'Private addresses that outbound requests may reach: exact hosts, addresses, CIDRs or origins (like http://127.0.0.1:11434, one port only). Empty: none.',
  ),
  SLIPWAY_TRUSTED_IDP_ORIGINS: listSetting
    .pipe(z.array(webAddress.transform(originOf)))
    .describe(
      'Origins of identity providers inside your network, like https://idp.corp.example, that single sign-on may use. Empty: none.',
    ),
  SLIPWAY_DNS_SERVERS: listSetting
    .pipe(z.array(z.string().refine(isDnsServer, 'must hold addresses')))
    .describe(
      'DNS servers, like 192.0.2.53 or 127.0.0.1:5353, to read the TXT records of single sign-on from. Empty: those of the system.',
    ),
  SLIPWAY_DELIVERY_RETRY_SECONDS: z.coerce
    .number()
    .positive()
    .max(3600)
    .default(30)
    .describe('Base of the growing pauses between attempts of an event delivery. Empty: 30.'),
  SLIPWAY_SIGNUP: z.enum(['open', 'invite']).default('open').describe('Who may sign up. Empty: everyone.'),
  SLIPWAY_OPERATOR_ORGANIZATION: z
    .string()
    .optional()
    .describe(
      'Id of the organization whose members answer the questions of all others (docs/guides/help.md). Empty: they are answered by `npm run admin`.',
    ),
  SLIPWAY_ORGANIZATIONS_PER_PERSON: countSetting
    .default(10)
    .describe('How many organizations a person may own before creating one more is refused. Empty: 10.'),
  SLIPWAY_SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server, like smtps://name:password@mail.example.com. Empty: mails are held for the operator, and sign-up reveals who has an account (docs/guides/mail.md).',
    ),
  SLIPWAY_MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, 'must hold an e-mail address')
    .optional()
    .describe('Sender of mails, like "Acme <slipway@acme.com>". Empty: slipway@<host of the base URL>.'),
  SLIPWAY_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Lowest level that is logged. Empty: info.'),
  SLIPWAY_METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe(
      'Bearer token of GET /metrics, at least 16 characters (docs/guides/metrics.md). Empty: nothing is counted, and /metrics returns 404.',
    ),
})

export type CheckedEnvironment = z.output<typeof Environment>

/** The variables that only the local emulators read. This list must have the names that `local/config.ts` describes. */
export const LOCAL_NAMES = [
  'SLIPWAY_LOCAL_TIME_SCALE',
  'SLIPWAY_LOCAL_MAX_WARM',
  'SLIPWAY_LOCAL_IDLE_MINUTES',
  'SLIPWAY_LOCAL_SPIN_SECONDS',
  'SLIPWAY_LOCAL_EGRESS_ALLOW',
  'SLIPWAY_LOCAL_AI_URL',
  'SLIPWAY_LOCAL_AI_KEY',
  'SLIPWAY_LOCAL_SMTP_URL',
  'SLIPWAY_LOCAL_SMTP_FROM',
]

/** The prefixes of variables for scripts that call the API. Names with these prefixes are not reported as typos. */
const OTHER_NAMES = ['SLIPWAY_API_KEY', 'SLIPWAY_PROJECT']

/** Returns a warning for each unknown name. The warning suggests the most similar known name, because most unknown names are typos. */
export function unknownNames(names: string[]): string[] {
  const known = [...Object.keys(Environment.shape), ...LOCAL_NAMES]
  return names
    .filter((name) => name.startsWith('SLIPWAY_') && !known.includes(name))
    .filter((name) => !OTHER_NAMES.some((prefix) => name.startsWith(prefix)))
    .map((name) => `${name} is not a setting; did you mean ${nearestName(name, known)}?`)
}

function nearestName(name: string, candidates: string[]): string {
  const distances = candidates.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
  return distances.reduce((best, item) => (item.distance < best.distance ? item : best)).candidate
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Returns all settings; the table in docs/guides/settings.md is generated from them. */
export function describeSettings(): { name: string; meaning: string }[] {
  return Object.entries(Environment.shape).map(([name, schema]) => ({
    name,
    meaning: schema.description ?? '',
  }))
}
