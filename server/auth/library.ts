import { betterAuth } from 'better-auth'
import type { Pool } from 'pg'
import type { Platform } from '../platform.ts'
import { authOptions } from './options.ts'

/** Sets up the auth library. Separate from auth.ts so that it is imported only while the database starts. */
export function openLibrary(platform: Platform, pool: Pool) {
  return betterAuth(authOptions(platform, pool))
}
