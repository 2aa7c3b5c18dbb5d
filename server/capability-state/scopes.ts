import type { Db } from '../db/database.ts'
import { PROJECTS_AS_P } from '../sql/projects.ts'

/** The OAuth scopes that a capability needs in addition to those that every connection requests. */
const SCOPES_OF_CAPABILITY: Readonly<Record<string, readonly string[]>> = {
  email: [
    'zone.write',
    'dns.write',
    'email-sending.write',
    'email-routing-rule.write',
    'email-routing-address.write',
  ],
  ai: ['ai.write', 'aig.write'],
  call: ['calls.write'],
  queue: ['queues.write'],
  render: ['browser-rendering.write'],
  video: ['stream.write'],
  events: ['account-analytics.read'],
  guard: ['challenge-widgets.write'],
}

/** Returns the scopes that an organization's enabled capabilities need in addition to those that every connection requests. */
export async function capabilityScopes(db: Db, orgId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('capabilities as c')
    .innerJoin(PROJECTS_AS_P, 'p.id', 'c.project_id')
    .select('c.key')
    .distinct()
    .where('p.org_id', '=', orgId)
    .where('c.enabled', '=', true)
    .execute()
  return rows.flatMap(({ key }) => SCOPES_OF_CAPABILITY[key] ?? [])
}
