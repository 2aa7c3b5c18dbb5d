import type { Logger } from 'pino'
import type { Db } from './db/database.ts'
import type { Clock } from './lib/clock.ts'

/** Nearly every function uses these three. Everything else is a port, named where it is used. */
export interface Core {
  db: Db
  clock: Clock
  log: Logger
}
