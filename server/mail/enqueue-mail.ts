import type { MailsTable } from '../db/tables/mail.ts'
import { transact, type Trx } from '../db/database.ts'
import { newId } from '../lib/ids.ts'
import { isLoopbackHost } from '../lib/loopback.ts'
import type { Needs } from '../platform.ts'
import { sealMail } from './content.ts'
import type { MailMessage } from './message.ts'
import { mailJob } from './mail-job.ts'

export interface Mail {
  kind: MailsTable['kind']
  recipient: string
  message: MailMessage
  /** The link in the mail. It is logged when there is no mail server, as on a developer's machine. */
  url: string
}

/**
 * Stores a mail, and the job that sends it, in one transaction. Never waits for the mail server, so that the
 * duration of a response does not reveal whether an address is known. Without a mail server the mail is only
 * stored.
 */
export async function enqueueMail(platform: Needs<'config' | 'keyring' | 'jobs'>, mail: Mail): Promise<void> {
  const { config, db, log } = platform
  const id = await transact(db, (trx) => storeMail(platform, trx, mail))
  if (config.mail !== null) return
  const { kind, recipient, url } = mail
  const isLocal = isLoopbackHost(new URL(config.baseUrl).hostname)
  log.info({ mail: id, kind, recipient, ...(isLocal && { url }) }, 'mail held')
}

/** Stores a mail in the transaction of the change that it is about. Returns the id of the mail. */
export async function storeMail(
  { clock, config, jobs, keyring }: Needs<'config' | 'keyring' | 'jobs'>,
  trx: Trx,
  { kind, recipient, message }: Omit<Mail, 'url'>,
): Promise<string> {
  const id = newId('mail')
  const now = clock.now()
  const isHeld = config.mail === null
  await trx
    .insertInto('mails')
    .values({
      id,
      kind,
      recipient,
      content: sealMail(keyring, id, message),
      state: isHeld ? 'held' : 'waiting',
      problem: null,
      updated_at: now,
      created_at: now,
    })
    .execute()
  if (!isHeld) await jobs.send(trx, mailJob, { mailId: id })
  return id
}
