import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import type { AppMailboxesTable, AppMailDomainsTable } from '../../db/tables/app-mail.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'

export type MailDomain = Selectable<AppMailDomainsTable>

export type Mailbox = Pick<Selectable<AppMailboxesTable>, 'collection' | 'notify'> & { localPart: string }

/** Returns the domain from which the project sends mail in this account; null while none is chosen. */
export async function readMailDomain(
  db: Db | Trx,
  project: ProjectIds,
  accountId: string,
): Promise<MailDomain | null> {
  const row = await db
    .selectFrom('app_mail_domains')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? null
}

/** Stores the domain as not verified. No mail is sent from a domain that is not verified. */
export async function saveMailDomain(
  trx: Trx,
  project: ProjectIds,
  mailDomain: Pick<MailDomain, 'account_id' | 'zone_id' | 'domain' | 'local_part' | 'from_address'>,
  at: Date,
): Promise<void> {
  await trx
    .insertInto('app_mail_domains')
    .values({ ...mailDomain, project_id: project.id, org_id: project.org_id, created_at: at })
    .onConflict((known) => known.column('project_id').doUpdateSet(mailDomain))
    .execute()
}

export async function setFromAddress(
  trx: Trx,
  { project_id, org_id }: MailDomain,
  from: string,
): Promise<void> {
  await trx
    .updateTable('app_mail_domains')
    .set({ from_address: from })
    .where('org_id', '=', org_id)
    .where('project_id', '=', project_id)
    .execute()
}

export async function listMailboxes(db: Db | Trx, project: ProjectIds): Promise<Mailbox[]> {
  const rows = await db
    .selectFrom('app_mailboxes')
    .select(['local_part', 'collection', 'notify'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .orderBy('local_part')
    .execute()
  return rows.map(({ local_part, ...rest }) => ({ localPart: local_part, ...rest }))
}

export async function replaceMailboxes(
  trx: Trx,
  project: ProjectIds,
  mailboxes: readonly Mailbox[],
): Promise<void> {
  const { id: project_id, org_id } = project
  await trx
    .deleteFrom('app_mailboxes')
    .where('org_id', '=', org_id)
    .where('project_id', '=', project_id)
    .execute()
  if (mailboxes.length === 0) return
  await trx
    .insertInto('app_mailboxes')
    .values(
      mailboxes.map(({ localPart, ...rest }) => ({ ...rest, local_part: localPart, project_id, org_id })),
    )
    .execute()
}

export const mailboxAddress = ({ localPart }: Pick<Mailbox, 'localPart'>, domain: string): string =>
  `${localPart}@${domain}`
