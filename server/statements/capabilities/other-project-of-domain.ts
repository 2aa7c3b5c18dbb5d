import type { Db, Trx } from '../../db/database.ts'

/** Returns the id of another project whose app sends mail from the same domain of the account; null when there is none. */
export async function otherProjectOfMailDomain(
  db: Db | Trx,
  {
    orgId,
    accountId,
    domain,
    projectId,
  }: { orgId: string; accountId: string; domain: string; projectId: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('app_mail_domains')
    .select('project_id')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('domain', '=', domain)
    .where('project_id', '!=', projectId)
    .limit(1)
    .executeTakeFirst()
  return row?.project_id ?? null
}
