import type { Plan } from '../billing/plans.ts'
import type { Db } from '../db/database.ts'

/** Commands run on the service's own machine, without a signed-in person. */
export const OPERATOR = 'operator'

export interface AdminContext {
  db: Db
  now: Date
  /** The plan of an organization that has no settings row yet. */
  defaultPlan: Plan
}
