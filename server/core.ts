import type { Logger } from 'pino'
import type { Db } from './db/database.ts'
import type { Clock } from './lib/clock.ts'

/**
 * What nearly every function gets. Every other part of the service (key ring, jobs, configuration and so on)
 * is passed only to functions that name it in their parameter's type: see `Ports` in `platform.ts`.
 */
export interface Core {
  db: Db
  clock: Clock
  log: Logger
}
