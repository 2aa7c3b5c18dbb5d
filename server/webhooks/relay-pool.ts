import { Pool } from 'pg'
import type { Platform } from '../platform.ts'

/**
 * Statements that run thousands of times a second over a table that is empty one moment and huge the next. They
 * are planned once (planning costs more than running them) and always by index, because a plan made for the empty
 * table would read all of the huge one. What is lost with the machine is claims, which lapse, and outcomes, whose
 * attempts are repeated: so commits wait for no disk.
 */
const SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  synchronous_commit: 'off',
}

/** Connections of the relay's own: one that writes outcomes down beside one that claims. */
export function openRelayPool({ pool, log }: Platform): Pool {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`)
  const relay = new Pool({ ...pool.options, max: 2, options: settings.join(' ') })
  relay.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  relay.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'database connection lost')),
  )
  return relay
}
