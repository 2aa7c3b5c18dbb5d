import type { Plan } from '../billing-plans.ts'
import type { Db } from '../db/database.ts'

/** The actor that the activity log has for operator commands. They run on the service's machine, without a signed-in person. */
export const OPERATOR_ACTOR = 'operator'

export interface AdminContext {
  db: Db
  now: Date
  /** The plan of an organization that has no row in `organization_settings` yet. */
  defaultPlan: Plan
}
