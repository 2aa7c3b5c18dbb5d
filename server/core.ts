import type { Logger } from 'pino'
import type { Db } from './db/database.ts'
import type { Clock } from './lib/clock.ts'

/**
 * Nearly every function uses these three. Everything else that the service is made of is a port, and each
 * function names the ports it needs.
 */
export interface Core {
  db: Db
  clock: Clock
  log: Logger
}
