import type { Plan } from '../billing-plans.ts'
import type { Db } from '../db/database.ts'

/** The actor of commands in the activity log. They run on the service's own machine, without a signed-in person. */
export const OPERATOR_ACTOR = 'operator'

export interface AdminContext {
  db: Db
  now: Date
  /** The plan of an organization that has no row in `organization_settings` yet. */
  defaultPlan: Plan
}
