import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { databaseErrorCode } from '../db/database.ts'
import { conflict, notFound } from '../http/errors.ts'
import { type Limits, rateLimitedError } from '../http/limits/limits.ts'
import type { PlatformPorts } from '../platform.ts'
import { guardAuthRequest } from './guard-request.ts'
import type { Passwords } from './options.ts'
import { openProviderFetch } from './sso/provider-fetch.ts'

// Loading the auth library takes 0.2 s. The import starts here, so that it overlaps with the start of the database.
const optionsImport = import('./options.ts')

const UNIQUE_VIOLATION = '23505'
const RESET_PATH = '/api/auth/request-password-reset'
/** The minimum duration of a password reset request. Storing the mail takes a fraction of that time. */
const RESET_REQUEST_MS_MIN = 300

export interface Auth {
  /** Handles everything under /api/auth. Throws errors of the service, for which the caller writes the error response. */
  handler(request: Request, address: string, limits: Limits): Promise<Response>
  close(): Promise<void>
}

/**
 * Opens the auth library: sign-up, sign-in, sessions, organizations. The library has a separate pool, because it
 * occupies a connection while it hashes a password, and many simultaneous sign-ins must not starve the API.
 */
export function createAuth(
  platform: PlatformPorts<'config' | 'pool' | 'keyring' | 'jobs' | 'counters' | 'mailer'>,
  passwords?: Passwords,
): Auth {
  const pool = new Pool({ ...platform.pool.options, max: 4, connectionTimeoutMillis: 10_000 })
  // Without these listeners a lost connection (57P01) ends the whole process. One listener is for idle clients, the
  // other for a checked-out client that is silent while a password is hashed.
  const onLost = (error: Error) => platform.log.warn({ err: error }, 'sign-in connection lost')
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost))
  const providers = openProviderFetch(platform.config, platform.log)
  const opened = optionsImport.then(({ openLibrary }) => openLibrary(platform, pool, passwords))
  return {
    async handler(request, address, limits) {
      const admitted = await guardAuthRequest(platform, request, address, limits)
      const library = await opened
      const answering = providers
        .run(() => library.handler(admitted))
        .catch((error: unknown) => {
          // The library checks for duplicates before it inserts. When two requests pass that check at once,
          // the unique indexes of the service let only one insert succeed.
          throw databaseErrorCode(error) === UNIQUE_VIOLATION
            ? conflict('Another request did the same just now.')
            : error
        })
      // A reset request takes a fixed minimum time: a known address needs more work, and the duration must not reveal that.
      const isReset = new URL(request.url).pathname === RESET_PATH
      const [response] = await Promise.all([answering, isReset ? sleep(RESET_REQUEST_MS_MIN) : null])
      // The library's 429 says that the account is locked, but not for how long.
      if (response.status === 429) throw rateLimitedError((await optionsImport).LOCKOUT_SECONDS * 1000)
      // The library's 404 for a missing row has a JSON body. A 404 without JSON means that the route does not exist.
      if (response.status === 404 && !response.headers.get('content-type')?.includes('json'))
        throw notFound('route')
      return response
    },
    close: async () => {
      await Promise.all([pool.end(), providers.close()])
    },
  }
}
