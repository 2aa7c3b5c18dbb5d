import type { Logger } from 'pino'
import type { Db } from './db/database.ts'
import type { Clock } from './lib/clock.ts'

/** The three parts that nearly every function uses. Everything else is a port, named where it is used. */
export interface Core {
  db: Db
  clock: Clock
  log: Logger
}
