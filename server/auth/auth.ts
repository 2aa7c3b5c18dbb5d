import { betterAuth } from 'better-auth'
import { Pool } from 'pg'
import type { Platform } from '../platform.ts'
import { passGate } from './gate.ts'
import { authOptions } from './options.ts'

export interface Auth {
  /** Answers everything under /api/auth; the gate's refusals are thrown for the kernel to put in the envelope. */
  handler(request: Request, address: string): Promise<Response>
  close(): Promise<void>
}

/**
 * The auth library behind our gate: sign-up, sign-in, sessions, organizations. It has a pool of its own, because
 * it holds a connection while a password is hashed and many sign-ins at once must not starve the API.
 */
export function createAuth(platform: Platform): Auth {
  const pool = new Pool({ ...platform.pool.options, max: 4, connectionTimeoutMillis: 10_000 })
  // Without a listener a backend shutdown (57P01) on an idle client ends the whole process.
  pool.on('error', (error) => platform.log.warn({ err: error }, 'idle sign-in connection lost'))
  const library = betterAuth(authOptions(platform, pool))
  return {
    handler: async (request, address) =>
      library.handler(await passGate(platform.config.baseUrl, request, address)),
    close: () => pool.end(),
  }
}
