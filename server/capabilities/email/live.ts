import type { Binding } from '../../cloudflare/products/upload.ts'
import { accountIdOf } from '../../connections/cloud.ts'
import { isLocalAccount } from '../../connections/connections.ts'
import type { Core } from '../../core.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import type { AccountWorkerParts } from '../../capability-declaration/capability.ts'
import type { CompiledApp } from '../operator/activate.ts'
import type { ProjectRef } from '../../resources/work.ts'
import { parseSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'
import { EmailSettings } from './declaration.ts'
import { collectionsOf } from './declared.ts'
import { mailboxAddress, listMailboxes, readMailDomain } from './mail-store.ts'

/** The local cloud sends mail from this domain without a set-up. */
const LOCAL_DOMAIN = 'mail.slipway.test'

type MailProject = Pick<ProjectRef, 'id' | 'org_id' | 'slug'>

export async function readFrom(
  db: Db | Trx,
  project: MailProject,
  accountId: string,
): Promise<string | null> {
  const domain = await readMailDomain(db, project, accountId)
  if (domain?.from_address != null) return domain.from_address
  // Another account may be connected now, because a project stays in its local account until it moves.
  const isLocal = await isLocalAccount(db, project.org_id, accountId)
  return isLocal ? `${project.slug}@${LOCAL_DOMAIN}` : null
}

/** Returns the live worker's settings for mail. */
export async function readLiveMail(
  { db }: Core,
  project: MailProject,
  accountId: string,
): Promise<AccountWorkerParts> {
  const [stored, from, domain, mailboxes] = await Promise.all([
    readStoredSettings(db, project.id, 'email'),
    readFrom(db, project, accountId),
    readMailDomain(db, project, accountId),
    listMailboxes(db, project),
  ])
  const settings = parseSettings(EmailSettings, stored)
  const known =
    domain === null
      ? []
      : mailboxes.map((mailbox) => ({ ...mailbox, address: mailboxAddress(mailbox, domain.domain) }))
  const bindings: Binding[] =
    from === null ? [] : [{ type: 'send_email', name: 'MAIL', allowed_sender_addresses: [from] }]
  return {
    variables: {
      EMAIL_REPLY_TO: settings.replyTo ?? '',
      EMAIL_NOTIFY_TO: settings.notifyTo ?? '',
      EMAIL_MAX_PER_HOUR: String(settings.maxPerHour),
      EMAIL_PER_RECIPIENT_PER_DAY: String(settings.perRecipientPerDay),
      EMAIL_FROM: from ?? '',
      EMAIL_MAILBOXES: JSON.stringify(known),
    },
    bindings,
  }
}

/**
 * Returns the steps of the mail set-up that a person still has to do, each as one or two sentences. `app` is the compiled app of the live
 * release, or null.
 */
export async function listMissingMail(
  db: Db,
  project: ProjectIds,
  app: CompiledApp | null,
): Promise<string[]> {
  const accountId = await accountIdOf(db, project.org_id, project.id)
  const from = await readFrom(db, { ...project, slug: '' }, accountId ?? '')
  const unsent =
    from === null ? ['No domain is verified, so mail of the app waits. Set one up under Email.'] : []
  const served = new Set((await listMailboxes(db, project)).map(({ collection }) => collection))
  const without = collectionsOf(app?.manifest ?? {}).filter((collection) => !served.has(collection))
  return [...unsent, ...without.map((name) => `No address leads to ${name}. Add a mailbox under Email.`)]
}
