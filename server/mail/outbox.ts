import type { Keyring } from '../crypto/keyring.ts'
import type { Db } from '../db/database.ts'
import { openMail } from './content.ts'
import type { MailMessage } from '../mail-port.ts'

/** Returns the newest 200 mails, the newest first. Mails are purged after a week. */
export function listMails(db: Db) {
  return db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'state', 'problem', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
}

/** Returns a mail. `message` is null once the mail was sent. Returns null when there is no such mail. */
export async function readMail(db: Db, keyring: Keyring, id: string) {
  const mail = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
  if (mail === undefined) return null
  const { content, ...rest } = mail
  const message: MailMessage | null = content === null ? null : openMail(keyring, id, content)
  return { ...rest, message }
}
