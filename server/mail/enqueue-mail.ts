import type { MailsTable } from '../db/tables/mail.ts'
import { transact } from '../db/database.ts'
import { newId } from '../lib/ids.ts'
import { isLoopbackHost } from '../lib/loopback.ts'
import type { Platform } from '../platform.ts'
import { sealLetter } from './content.ts'
import type { Letter } from './letter.ts'
import { mailJob } from './mail-job.ts'

export interface Mail {
  kind: MailsTable['kind']
  recipient: string
  letter: Letter
  /** The link in the mail; logged on a developer's machine, which has no mailbox. */
  url: string
}

/**
 * Stores a mail and the job that sends it in one transaction. Never waits for the mail server, so that no
 * response reveals by its duration whether an address is known. Without a mail server the mail is held.
 */
export async function enqueueMail(platform: Platform, { kind, recipient, letter, url }: Mail): Promise<void> {
  const { clock, config, db, jobs, keyring, log } = platform
  const id = newId('mail')
  const now = clock.now()
  const isHeld = config.mail === null
  await transact(db, async (trx) => {
    await trx
      .insertInto('mails')
      .values({
        id,
        kind,
        recipient,
        content: sealLetter(keyring, id, letter),
        state: isHeld ? 'held' : 'waiting',
        problem: null,
        updated_at: now,
        created_at: now,
      })
      .execute()
    if (!isHeld) await jobs.send(trx, mailJob, { mailId: id })
  })
  if (isHeld)
    log.info(
      { mail: id, kind, recipient, ...(isLoopbackHost(new URL(config.baseUrl).hostname) && { url }) },
      'mail held',
    )
}
