import { createApp } from '../../app.ts'
import { createAuth, type Auth } from '../../auth/auth.ts'
import { type Config, readConfig } from '../../config.ts'
import { makeKeyring } from '../../crypto/keyring.ts'
import { newSecrets } from '../../crypto/secrets.ts'
import type { Database } from '../../db/database.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { Counters } from '../../http/limits/counters.ts'
import { createLimits } from '../../http/limits/limits.ts'
import { openMailer } from '../../mail/enqueue-mail.ts'
import type { Platform } from '../../platform.ts'
import { silentLog } from '../database.ts'
import { quickPasswords } from '../passwords.ts'
import { reportErrors } from '../provoked.ts'

export const ORIGIN = 'http://localhost:4300'
export const PASSWORD = 'correct horse battery'

/** An application with only sign-in and the given endpoints, and with a clock that the test can set. */
export interface MinimalApp {
  platform: Platform
  auth: Auth
  clock: { now(): Date; at: Date }
  request(path: string, init?: RequestInit): Promise<Response>
  /** Sends a JSON request with this session cookie or API key. */
  send(method: string, path: string, as: { cookie?: string; key?: string }, body?: unknown): Promise<Response>
  /** Creates a user with an organization. Returns the cookie of the first session. */
  signUp(name: string): Promise<{ cookie: string; email: string; userId: string }>
}

/**
 * Opens an application that serves only these endpoints. It has no jobs, no pool of processes that check
 * generated apps, and no local emulators of providers.
 */
export function openMinimalApp(
  database: Database,
  endpoints: Endpoint[],
  changes: Partial<Config> = {},
): MinimalApp {
  const { config } = readConfig({ SLIPWAY_LOCAL_WORLD: 'off' })
  const clock = { at: new Date(), now: () => clock.at }
  const platform = {
    config: {
      ...config,
      limits: { keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 },
      ...changes,
    },
    db: database.db,
    pool: database.pool,
    streamPool: database.streamPool,
    clock,
    log: silentLog,
    keyring: makeKeyring(newSecrets()),
    counters: new Counters(),
    metrics: null,
  } as unknown as Platform
  platform.mailer = openMailer(platform)
  const auth = createAuth(platform, quickPasswords)
  const web = createApp(
    platform,
    reportErrors(endpoints),
    createLimits(platform.config.limits, platform.counters),
    {
      auth: auth.handler,
      page: () => Promise.resolve(null),
    },
  )

  const app: MinimalApp = {
    platform,
    auth,
    clock,
    request: async (path, init) => web.request(path, init),
    send: (method, path, { cookie, key }, body) =>
      app.request(path, {
        method,
        headers: {
          origin: ORIGIN,
          'content-type': 'application/json',
          ...(cookie && { cookie }),
          ...(key && { authorization: `Bearer ${key}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async signUp(name) {
      const email = `${name.toLowerCase().replaceAll(' ', '.')}@acme.test`
      const response = await app.send(
        'POST',
        '/api/auth/sign-up/email',
        {},
        { name, email, password: PASSWORD },
      )
      if (!response.ok) throw new Error(`sign-up: ${response.status} ${await response.text()}`)
      const { user } = (await response.json()) as { user: { id: string } }
      return { cookie: cookieOf(response), email, userId: user.id }
    },
  }
  return app
}

/** Returns the response's cookies as the next request sends them, with names and values only. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .filter((cookie) => !/; Max-Age=0(;|$)/.test(cookie))
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
