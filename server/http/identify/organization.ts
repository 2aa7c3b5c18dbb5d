import { JOIN_SETTINGS } from '../../sql/admin.ts'
import { JOIN_POLICY } from '../../sql/security.ts'
import type { Plan } from '../../billing-plans.ts'
import type { Policy } from '../caller.ts'
import type { Kernel } from '../context.ts'

/** All columns are null when the organization has no policy. */
interface PolicyColumns {
  require_sso: boolean | null
  require_two_factor: boolean | null
  session_lifetime_days: number | null
  allowed_ips: string[] | null
}

export interface OrganizationColumns extends PolicyColumns {
  /** Null for a person who is in no organization. */
  org_name: string | null
  plan: Plan | null
  suspended_at: Date | null
  user_name: string | null
  email: string | null
}

/**
 * The columns of the organization (`o`) and the user (`u`) that are read to identify a caller, both for an API key and
 * for a session.
 */
export const ORGANIZATION_COLUMNS = `o.id as org_id, o.name as org_name, s.plan, s.suspended_at,
  p.require_sso, p.require_two_factor, p.session_lifetime_days, p.allowed_ips, u.name as user_name, u.email`

/** Left joins, because an organization without a settings row or without a policy uses the defaults. */
export const ORGANIZATION_JOINS = `${JOIN_SETTINGS} ${JOIN_POLICY}`

export function organizationOf(platform: Kernel, row: OrganizationColumns, organizationId: string) {
  return {
    organizationId,
    organizationName: row.org_name ?? '',
    plan: row.plan ?? platform.config.defaultPlan,
    suspendedAt: row.suspended_at,
    userName: row.user_name,
    email: row.email,
  }
}

/** Returns the security policy in a row of the query. An organization that has stored no policy requires nothing. */
export function policyOf(row: PolicyColumns | undefined): Policy {
  return {
    requireSso: row?.require_sso ?? false,
    requireTwoFactor: row?.require_two_factor ?? false,
    sessionLifetimeDays: row?.session_lifetime_days ?? null,
    allowedIps: row?.allowed_ips ?? [],
  }
}
