import { resolve } from 'node:path'
import type { Plan, SoldPlan } from './billing-plans.ts'
import { Environment, type CheckedEnvironment, unknownNames } from './environment.ts'
import { issueProblem } from './lib/issue-problem.ts'
import { isLoopbackHost } from './lib/loopback.ts'

export interface CloudflareProfile {
  name: 'local' | 'real'
  api: string
  oauth: string
  /** Null when no OAuth sign-in is set up; accounts are then connected with a pasted token. */
  clientId: string | null
  clientSecret: string | null
  appUrl(script: string, subdomain: string): string
  /**
   * The limit of REST calls a minute with one credential. Only tests set it, because their accounts have no limit. By
   * default it is Cloudflare's limit.
   */
  perMinute?: number
}

export interface GithubProfile {
  name: 'local' | 'real'
  api: string
  /** The base address of GitHub's pages, OAuth sign-in and git repositories. */
  web: string
  /** Null when no OAuth sign-in is set up. */
  clientId: string | null
  clientSecret: string | null
}

export interface Billing {
  key: string
  webhookSecret: string
  prices: Record<SoldPlan, readonly string[]>
}

export interface Config {
  port: number
  /** The addresses to listen on; null means every address of this machine. */
  hosts: string[] | null
  baseUrl: string
  ingestUrl: string
  dataDir: string
  secrets: string | null
  secretsFile: string
  databaseUrl: string | null
  role: 'all' | 'web' | 'worker'
  localWorld: boolean
  localPort: number
  appsPort: number
  localControl: boolean
  /** Path of a Chromium browser; when it is null, the usual places are searched. */
  chromium: string | null
  seesPages: boolean
  defaultPlan: Plan
  limits: { keyPerMinute: number; sessionPerMinute: number; addressPerMinute: number }
  trustedProxies: string[]
  outboundAllow: string[]
  /** Origins, without a trailing slash, of identity providers that are allowed although they are in a private network. */
  trustedIdpOrigins: string[]
  /** The DNS servers for TXT look-ups. An empty list means the system's servers. */
  dnsServers: string[]
  deliveryRetrySeconds: number
  signup: 'open' | 'invite'
  organizationsPerPerson: number
  /** The organization whose members reply to help requests in the console; null when the requests are answered with `npm run admin`. */
  operatorOrganization: string | null
  /** The mail server; when it is null, mails are stored for the operator to read and not sent. */
  mail: { smtpUrl: string; from: string } | null
  logLevel: string
  /** The token with which the metrics can be read; when it is null, metrics are not served. */
  metricsToken: string | null
  /** The addresses of the Stripe API and of its local emulator; `local` is null while the local emulators are disabled. */
  stripe: { real: string; local: string | null }
  /** The operator's own Stripe account, which receives the money for plans; null while plans are not sold. */
  billing: Billing | null
  /**
   * The default profile for a new connection: the local emulator of Cloudflare while the emulators are enabled, else
   * Cloudflare itself.
   */
  cloudflare: CloudflareProfile
  github: GithubProfile
  /**
   * The profiles of the real providers. One installation may have connections to real providers and to local
   * emulators at the same time.
   */
  real: { cloudflare: CloudflareProfile; github: GithubProfile }
  /** The base address of the built-in model, a local emulator without AI; null when the local emulators are disabled. */
  modelBaseUrl: string | null
}

/** Thrown when the configuration is invalid. The message lists all mistakes, in words for the operator. */
export class ConfigError extends Error {}

/**
 * Reads and validates the configuration; `warnings` lists names that look like typos. Throws `ConfigError`.
 */
export function readConfig(env: Record<string, string | undefined>): { config: Config; warnings: string[] } {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const read = Environment.safeParse(given, { error: issueProblem })
  if (!read.success) {
    const lines = read.error.issues.map((issue) => {
      const name = String(issue.path[0])
      return `  ${name}: ${issue.message}. ${Environment.shape[name as keyof typeof Environment.shape].description}`
    })
    throw configError(lines)
  }
  return { config: buildConfig(read.data), warnings: unknownNames(Object.keys(given)) }
}

function buildConfig(e: CheckedEnvironment): Config {
  const dataDir = resolve(e.SLIPWAY_DATA_DIR)
  const hasRealProvider = (e.SLIPWAY_CLOUDFLARE_CLIENT_ID ?? e.SLIPWAY_GITHUB_CLIENT_ID) !== undefined
  const localWorld = e.SLIPWAY_LOCAL_WORLD === undefined ? !hasRealProvider : e.SLIPWAY_LOCAL_WORLD === 'on'
  const baseUrl = (e.SLIPWAY_BASE_URL ?? `http://localhost:${e.SLIPWAY_PORT}`).replace(/\/$/, '')
  const real = {
    cloudflare: realCloudflareProfile(e),
    github: realGithub(e.SLIPWAY_GITHUB_CLIENT_ID ?? null, e.SLIPWAY_GITHUB_CLIENT_SECRET ?? null),
  }
  const billing = billingOf(e, localWorld)
  const config: Config = {
    port: e.SLIPWAY_PORT,
    hosts: e.SLIPWAY_HOST === undefined ? defaultHosts(baseUrl) : [e.SLIPWAY_HOST],
    baseUrl,
    ingestUrl: e.SLIPWAY_INGEST_URL?.replace(/\/$/, '') ?? baseUrl,
    dataDir,
    secrets: e.SLIPWAY_SECRETS ?? null,
    secretsFile: e.SLIPWAY_SECRETS_FILE ?? resolve(dataDir, 'secrets.json'),
    databaseUrl: e.DATABASE_URL ?? null,
    role: e.SLIPWAY_ROLE,
    localWorld,
    localPort: e.SLIPWAY_LOCAL_PORT,
    appsPort: e.SLIPWAY_APPS_PORT,
    localControl: e.SLIPWAY_LOCAL_CONTROL === 'on',
    chromium: e.SLIPWAY_CHROMIUM ?? null,
    seesPages: e.SLIPWAY_SEE_PAGES === 'on',
    defaultPlan: e.SLIPWAY_DEFAULT_PLAN ?? (billing === null ? 'enterprise' : 'free'),
    billing,
    limits: {
      keyPerMinute: e.SLIPWAY_KEY_LIMIT_PER_MINUTE,
      sessionPerMinute: e.SLIPWAY_SESSION_LIMIT_PER_MINUTE,
      addressPerMinute: e.SLIPWAY_ADDRESS_LIMIT_PER_MINUTE,
    },
    trustedProxies: e.SLIPWAY_TRUSTED_PROXIES,
    outboundAllow: e.SLIPWAY_OUTBOUND_ALLOW,
    trustedIdpOrigins: e.SLIPWAY_TRUSTED_IDP_ORIGINS,
    dnsServers: e.SLIPWAY_DNS_SERVERS,
    deliveryRetrySeconds: e.SLIPWAY_DELIVERY_RETRY_SECONDS,
    signup: e.SLIPWAY_SIGNUP,
    organizationsPerPerson: e.SLIPWAY_ORGANIZATIONS_PER_PERSON,
    operatorOrganization: e.SLIPWAY_OPERATOR_ORGANIZATION ?? null,
    mail:
      e.SLIPWAY_SMTP_URL === undefined
        ? null
        : {
            smtpUrl: e.SLIPWAY_SMTP_URL,
            from: e.SLIPWAY_MAIL_FROM ?? `Slipway <slipway@${new URL(baseUrl).hostname}>`,
          },
    logLevel: e.SLIPWAY_LOG_LEVEL,
    metricsToken: e.SLIPWAY_METRICS_TOKEN ?? null,
    ...real,
    real,
    modelBaseUrl: null,
    stripe: { real: 'https://api.stripe.com/v1', local: null },
  }
  return localWorld
    ? withLocalWorld(config, { restUrl: `http://127.0.0.1:${config.localPort}`, appsPort: config.appsPort })
    : config
}

/**
 * Returns the billing settings, or null when none are set. Throws `ConfigError` for settings with which a customer
 * could pay for a plan and not get it.
 */
function billingOf(e: CheckedEnvironment, localWorld: boolean): Billing | null {
  const missing = BILLING_NAMES.filter((name) => e[name] === undefined || e[name].length === 0)
  if (missing.length === BILLING_NAMES.length) return null
  if (missing.length > 0)
    throw configError([`  Billing needs ${missing.join(', ')} as well (docs/guides/billing.md).`])
  const key = e.SLIPWAY_STRIPE_SECRET_KEY ?? ''
  const prices = { starter: e.SLIPWAY_STRIPE_PRICE_STARTER, pro: e.SLIPWAY_STRIPE_PRICE_PRO }
  if (prices.starter.some((id) => prices.pro.includes(id)))
    throw configError(['  SLIPWAY_STRIPE_PRICE_STARTER and SLIPWAY_STRIPE_PRICE_PRO name the same price.'])
  if (key.includes(LOCAL_STRIPE_MARK) && !localWorld)
    throw configError(['  SLIPWAY_STRIPE_SECRET_KEY is a key of the local stand-in, which is off.'])
  return { key, webhookSecret: e.SLIPWAY_STRIPE_WEBHOOK_SECRET ?? '', prices }
}

const BILLING_NAMES = [
  'SLIPWAY_STRIPE_SECRET_KEY',
  'SLIPWAY_STRIPE_WEBHOOK_SECRET',
  'SLIPWAY_STRIPE_PRICE_STARTER',
  'SLIPWAY_STRIPE_PRICE_PRO',
] as const

const configError = (lines: string[]): ConfigError =>
  new ConfigError(`Slipway cannot start with this configuration:\n${lines.join('\n')}`)

/**
 * The string in every key of Stripe's local emulator. A key that contains it is sent to the emulator, any other key to
 * Stripe.
 */
export const LOCAL_STRIPE_MARK = '_local_'

/** Returns the default addresses to listen on. `::1` is among them because browsers try it first for localhost. */
function defaultHosts(baseUrl: string): string[] | null {
  return isLoopbackHost(new URL(baseUrl).hostname) ? ['127.0.0.1', '::1'] : null
}

const WORKERS_DEV = 'https://{worker}.{subdomain}.workers.dev'

function realCloudflareProfile(e: CheckedEnvironment): CloudflareProfile {
  const apps = e.SLIPWAY_CLOUDFLARE_APPS ?? WORKERS_DEV
  return {
    name: 'real',
    api: e.SLIPWAY_CLOUDFLARE_API?.replace(/\/$/, '') ?? 'https://api.cloudflare.com/client/v4',
    oauth: 'https://dash.cloudflare.com/oauth2',
    clientId: e.SLIPWAY_CLOUDFLARE_CLIENT_ID ?? null,
    clientSecret: e.SLIPWAY_CLOUDFLARE_CLIENT_SECRET ?? null,
    appUrl: (script, subdomain) => apps.replace('{worker}', script).replace('{subdomain}', subdomain),
  }
}

function realGithub(clientId: string | null, clientSecret: string | null): GithubProfile {
  return {
    name: 'real',
    api: 'https://api.github.com',
    web: 'https://github.com',
    // GitHub accepts no sign-in code without the client secret.
    clientId: clientSecret === null ? null : clientId,
    clientSecret,
  }
}

/** The id of the OAuth client that is registered at the local emulators of Cloudflare and GitHub. */
const LOCAL_CLIENT = 'slipway-local'

/** Returns the configuration with the addresses of the local emulators, whose ports may be known only once they have started. */
export function withLocalWorld(config: Config, world: { restUrl: string; appsPort: number }): Config {
  return {
    ...config,
    appsPort: world.appsPort,
    modelBaseUrl: `${world.restUrl}/model/v1`,
    stripe: { ...config.stripe, local: `${world.restUrl}/v1` },
    github: {
      name: 'local',
      api: `${world.restUrl}/github/api/v3`,
      web: `${world.restUrl}/github`,
      clientId: LOCAL_CLIENT,
      clientSecret: null,
    },
    cloudflare: {
      name: 'local',
      api: `${world.restUrl}/cloudflare/client/v4`,
      oauth: `${world.restUrl}/cloudflare/oauth2`,
      clientId: LOCAL_CLIENT,
      clientSecret: null,
      appUrl: (script, subdomain) => `http://${script}.${subdomain}.localhost:${world.appsPort}`,
    },
  }
}
