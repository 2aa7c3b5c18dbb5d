import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { codeOf } from '../db/database.ts'
import { conflict, notFound } from '../http/errors.ts'
import { type Limits, tooMany } from '../http/limits.ts'
import type { Needs } from '../platform.ts'
import { guardAuthRequest } from './guard-request.ts'
import type { Passwords } from './options.ts'

// Loading the library takes 0.2 s; starting the import here overlaps it with the start of the database.
const loading = import('./options.ts')

const UNIQUE_VIOLATION = '23505'
const RESET_PATH = '/api/auth/request-password-reset'
/** Several times as long as storing the mail takes. */
const RESET_MS_MIN = 300

export interface Auth {
  /** Handles everything under /api/auth. Throws our own refusals for the kernel to put into the envelope. */
  handler(request: Request, address: string, limits: Limits): Promise<Response>
  close(): Promise<void>
}

/**
 * Opens the auth library: sign-up, sign-in, sessions, organizations. It has its own pool, because it holds a
 * connection while it hashes a password, and many sign-ins at once must not starve the API.
 */
export function createAuth(
  platform: Needs<'config' | 'pool' | 'keyring' | 'jobs' | 'counters'>,
  passwords?: Passwords,
): Auth {
  const pool = new Pool({ ...platform.pool.options, max: 4, connectionTimeoutMillis: 10_000 })
  // Without listeners a backend shutdown (57P01) ends the whole process: on an idle client, and on one that
  // is checked out but silent while a password is hashed.
  const onLost = (error: Error) => platform.log.warn({ err: error }, 'sign-in connection lost')
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost))
  const opened = loading.then(({ openLibrary }) => openLibrary(platform, pool, passwords))
  return {
    async handler(request, address, limits) {
      const admitted = await guardAuthRequest(platform, request, address, limits)
      const library = await opened
      const answering = library.handler(admitted).catch((error: unknown) => {
        // The library checks before it inserts; when requests race past that check, our unique indexes let
        // one through.
        throw codeOf(error) === UNIQUE_VIOLATION ? conflict('Another request did the same just now.') : error
      })
      // Takes a fixed minimum time: for a known address there is more to do, and the duration must not reveal
      // it.
      const isReset = new URL(request.url).pathname === RESET_PATH
      const [answer] = await Promise.all([answering, isReset ? sleep(RESET_MS_MIN) : null])
      // The library's 429 says only that the account is locked, not for how long.
      if (answer.status === 429) throw tooMany((await loading).LOCKOUT_SECONDS * 1000)
      // The library's 404s about rows are JSON; this one is about the route.
      if (answer.status === 404 && !answer.headers.get('content-type')?.includes('json'))
        throw notFound('route')
      return answer
    },
    close: () => pool.end(),
  }
}
