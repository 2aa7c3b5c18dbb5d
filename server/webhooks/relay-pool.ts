import { Pool } from 'pg'
import type { Platform } from '../platform.ts'

/**
 * Settings for statements that run thousands of times a second on a table that is empty at one moment and
 * huge at the next. Plans are cached (planning costs more than running) and forced to use the index, because
 * a plan made for the empty table would scan the huge one. Commits do not wait for the disk: a crash of the
 * machine loses claims, which expire, and outcomes, whose attempts are repeated.
 */
const SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  synchronous_commit: 'off',
}

/** Opens the relay's own two connections: one writes outcomes while the other claims. */
export function openRelayPool({ pool, log }: Platform): Pool {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`)
  const relay = new Pool({ ...pool.options, max: 2, options: settings.join(' ') })
  relay.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  relay.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'database connection lost')),
  )
  return relay
}
