import { betterAuth } from 'better-auth'
import type { Pool } from 'pg'
import type { Platform } from '../platform.ts'
import { authOptions } from './options.ts'

/** The auth library, set up. Apart from auth.ts so that it can be loaded later than the rest. */
export function openLibrary(platform: Platform, pool: Pool) {
  return betterAuth(authOptions(platform, pool))
}
