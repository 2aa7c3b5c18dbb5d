import { transact, type Trx } from '../db/database.ts'
import { newId } from '../lib/ids.ts'
import { isLoopbackHost } from '../lib/loopback.ts'
import type { MailToSend, Mailer } from '../mail-port.ts'
import type { PlatformPorts } from '../platform.ts'
import { sealMail } from './content.ts'
import { mailJob } from './mail-job.ts'

type MailParts = PlatformPorts<'config' | 'keyring' | 'jobs'>

/** Returns the port `mailer`. It keeps the settings and the encryption keys, so that callers need neither. */
export const openMailer = (platform: MailParts): Mailer => ({
  baseUrl: platform.config.baseUrl,
  enqueue: (mail) => enqueueMail(platform, mail),
  store: async (trx, mail) => void (await storeMail(platform, trx, mail)),
})

async function enqueueMail(
  platform: MailParts,
  { url, ...mail }: MailToSend & { url: string },
): Promise<void> {
  const { config, db, log } = platform
  const id = await transact(db, (trx) => storeMail(platform, trx, mail))
  if (config.mail !== null) return
  const { kind, recipient } = mail
  const isLocal = isLoopbackHost(new URL(config.baseUrl).hostname)
  log.info({ mail: id, kind, recipient, ...(isLocal && { url }) }, 'mail held')
}

/** Returns the id of the mail. */
async function storeMail(
  { clock, config, jobs, keyring }: MailParts,
  trx: Trx,
  { kind, recipient, message }: MailToSend,
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
