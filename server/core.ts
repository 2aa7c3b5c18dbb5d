import type { Logger } from 'pino'
import type { Db } from './db/database.ts'
import type { Clock } from './lib/clock.ts'

/**
 * The parts of the service that nearly every function gets. A function that needs another part (key ring, jobs,
 * configuration and so on) names it in its parameter's type: see `Ports` in `platform.ts`.
 */
export interface Core {
  db: Db
  clock: Clock
  log: Logger
}
