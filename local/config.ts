import { resolve } from 'node:path'
import * as z from 'zod'

/**
 * Only this file reads the environment in `local/`. Every variable is optional. A variable without a description is also a setting of the
 * service, where `server/environment.ts` describes it.
 */

const portSetting = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback)
const listSetting = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )

// Without `protocol`, `localhost:11434` would be accepted as a URL with the protocol `localhost:`.
const webAddress = () => z.url({ protocol: /^https?$/ })

const Environment = z.object({
  SLIPWAY_DATA_DIR: z.string().default('.slipway'),
  SLIPWAY_LOCAL_PORT: portSetting(4310),
  SLIPWAY_APPS_PORT: portSetting(4320),
  SLIPWAY_APPS_HOST: z.string().default('127.0.0.1'),
  SLIPWAY_LOCAL_CONTROL: z.enum(['on', 'off']).default('off'),
  SLIPWAY_LOCAL_TIME_SCALE: z.coerce
    .number()
    .positive()
    .default(1)
    .describe(
      'Factor on the delays that the stand-ins simulate, such as the time until a domain is active; below 1 is faster. Empty: 1.',
    ),
  SLIPWAY_LOCAL_MAX_WARM: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'Processes of apps that run at a time. When more are needed, idle ones are stopped, the longest unused first. Empty: one for each 256 MiB of memory of the machine, at least 4 and at most 30.',
    ),
  SLIPWAY_LOCAL_IDLE_MINUTES: z.coerce
    .number()
    .positive()
    .default(10)
    .describe('Minutes without a request after which the process of an app is stopped. Empty: 10.'),
  SLIPWAY_LOCAL_SPIN_SECONDS: z.coerce
    .number()
    .positive()
    .default(10)
    .describe(
      'Seconds of CPU time that an app may use without responding, as in an endless loop, before its process is killed. Empty: 10.',
    ),
  SLIPWAY_LOCAL_EGRESS_ALLOW: listSetting.describe(
    'Private addresses that apps may connect to, as host:port, separated by commas. Empty: none, only public addresses and other local apps.',
  ),
  SLIPWAY_TRUSTED_PROXIES: listSetting,
  SLIPWAY_BASE_URL: webAddress().optional(),
  SLIPWAY_LOCAL_AI_URL: webAddress()
    .optional()
    .describe(
      'Base address of an OpenAI-compatible server that runs the AI models of apps, like http://127.0.0.1:11434/v1. Empty: built-in models, which need no AI.',
    ),
  SLIPWAY_LOCAL_AI_KEY: z.string().optional().describe('API key of that server. Empty: no key is sent.'),
  SLIPWAY_LOCAL_SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server that delivers the mail of apps, like smtps://name:password@mail.example.com (docs/guides/app-mail.md). Empty: mail is only stored.',
    ),
  SLIPWAY_LOCAL_SMTP_FROM: z
    .email()
    .optional()
    .describe(
      'Sender of that mail, for a server that accepts only one. Empty: the address from which the app sends.',
    ),
  SLIPWAY_CHROMIUM: z.string().optional(),
})

export interface WorldConfig {
  /**
   * `<data directory>/local`, the folder with all data of the local world (the process of the local cloud and
   * the other stand-ins for providers).
   */
  dir: string
  port: number
  appsPort: number
  appsHost: string
  control: boolean
  /** Factor on simulated delays; below 1 is faster. */
  timeScale: number
  /** The maximum number of app processes at a time; null: computed from the machine's memory. */
  maxWarm: number | null
  idleMs: number
  /** The CPU time that an unresponsive app may use before its process is killed. */
  spinCpuSeconds: number
  /** Private `host:port` pairs that apps may connect to. */
  egressAllow: string[]
  trustedProxies: string[]
  /** Public URL of the service. The built-in OAuth clients may redirect to it. */
  baseUrl: string | null
  /** An OpenAI-compatible server for Workers AI; null: the built-in models. */
  ai: { url: string; key: string | null } | null
  /** A mail server that delivers mail of apps; null: mail is only stored. */
  relay: { url: string; from: string | null } | null
  /** The path of a Chromium; null: search the usual places. */
  chromium: string | null
}

/** Thrown for invalid settings. The message has a line for each of them: its name, what is wrong, and what it means. */
export class SettingsError extends Error {}

/** Reads the settings; a setting of only white space counts as missing. Throws `SettingsError` for an invalid value. */
export function readConfig(env: Record<string, string | undefined>): WorldConfig {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const read = Environment.safeParse(given)
  if (!read.success) throw new SettingsError(read.error.issues.map(describeIssue).join('\n'))
  const e = read.data
  return {
    dir: resolve(e.SLIPWAY_DATA_DIR, 'local'),
    port: e.SLIPWAY_LOCAL_PORT,
    appsPort: e.SLIPWAY_APPS_PORT,
    appsHost: e.SLIPWAY_APPS_HOST,
    control: e.SLIPWAY_LOCAL_CONTROL === 'on',
    timeScale: e.SLIPWAY_LOCAL_TIME_SCALE,
    maxWarm: e.SLIPWAY_LOCAL_MAX_WARM ?? null,
    idleMs: e.SLIPWAY_LOCAL_IDLE_MINUTES * 60_000,
    spinCpuSeconds: e.SLIPWAY_LOCAL_SPIN_SECONDS,
    egressAllow: e.SLIPWAY_LOCAL_EGRESS_ALLOW,
    trustedProxies: e.SLIPWAY_TRUSTED_PROXIES,
    baseUrl: e.SLIPWAY_BASE_URL ?? null,
    ai:
      e.SLIPWAY_LOCAL_AI_URL === undefined
        ? null
        : { url: e.SLIPWAY_LOCAL_AI_URL, key: e.SLIPWAY_LOCAL_AI_KEY ?? null },
    relay:
      e.SLIPWAY_LOCAL_SMTP_URL === undefined
        ? null
        : { url: e.SLIPWAY_LOCAL_SMTP_URL, from: e.SLIPWAY_LOCAL_SMTP_FROM ?? null },
    chromium: e.SLIPWAY_CHROMIUM ?? null,
  }
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const name = String(path[0])
  const meaning = describeLocalSettings().find((setting) => setting.name === name)?.meaning ?? ''
  return `${name}: ${message}. ${meaning}`.trimEnd()
}

/** Returns the settings that only the local world reads, for the table in docs/guides/settings.md. */
export function describeLocalSettings(): { name: string; meaning: string }[] {
  return Object.entries(Environment.shape).flatMap(([name, { description }]) =>
    description === undefined ? [] : [{ name, meaning: description }],
  )
}
