import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { codeOf } from '../db/database.ts'
import { conflict, notFound } from '../http/errors.ts'
import { type Limits, tooMany } from '../http/limits.ts'
import type { Platform } from '../platform.ts'
import { passGate } from './gate.ts'
import { LOCKOUT_SECONDS } from './lockout.ts'

// Loading the library takes 0.2 s: it begins here so that it goes on while the database starts.
const loading = import('./library.ts')

const UNIQUE_VIOLATION = '23505'
const RESET_PATH = '/api/auth/request-password-reset'
/** Several times what storing the mail takes. */
const RESET_MS_MIN = 300

export interface Auth {
  /** Answers everything under /api/auth; the gate's refusals are thrown for the kernel to put in the envelope. */
  handler(request: Request, address: string, limits: Limits): Promise<Response>
  close(): Promise<void>
}

/**
 * The auth library behind our gate: sign-up, sign-in, sessions, organizations. It has a pool of its own, because
 * it holds a connection while a password is hashed and many sign-ins at once must not starve the API.
 */
export function createAuth(platform: Platform): Auth {
  const pool = new Pool({ ...platform.pool.options, max: 4, connectionTimeoutMillis: 10_000 })
  // Without listeners a backend shutdown (57P01) ends the whole process: on an idle client, and on one that is
  // checked out but silent while a password is hashed.
  const onLost = (error: Error) => platform.log.warn({ err: error }, 'sign-in connection lost')
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost))
  const opened = loading.then(({ openLibrary }) => openLibrary(platform, pool))
  return {
    async handler(request, address, limits) {
      const admitted = await passGate(platform, request, address, limits)
      const library = await opened
      const answering = library.handler(admitted).catch((error: unknown) => {
        // The library looks before it inserts; of requests that race past the look our unique indexes let one in.
        throw codeOf(error) === UNIQUE_VIOLATION ? conflict('Another request did the same just now.') : error
      })
      // For a known address there is more to do; the time it takes must not tell.
      const isReset = new URL(request.url).pathname === RESET_PATH
      const [answer] = await Promise.all([answering, isReset ? sleep(RESET_MS_MIN) : null])
      // Its 429 says only that the account is locked, not for how long.
      if (answer.status === 429) throw tooMany(LOCKOUT_SECONDS * 1000)
      // Its own 404s about things are JSON; this one is about the route.
      if (answer.status === 404 && !answer.headers.get('content-type')?.includes('json'))
        throw notFound('route')
      return answer
    },
    close: () => pool.end(),
  }
}
