import type { Plan } from '../billing/plans.ts'
import type { Db } from '../db/database.ts'

/** The actor in the activity log for commands run on the service's own machine. */
export const OPERATOR = 'operator'

/** What every command needs besides its own arguments. */
export interface AdminContext {
  db: Db
  now: Date
  /** The plan of an organization that has no settings row yet. */
  defaultPlan: Plan
}
