import { randomUUID } from 'node:crypto'
import { requireStored, type Store } from '../../../world/store.ts'

type MailStatus = 'stored' | 'delivered' | 'rejected' | 'bounced' | 'failed'

export interface MailContent {
  text: string | null
  html: string | null
  headers: Record<string, string>
  attachments: { filename: string; type: string; sizeBytes: number }[]
  /** The raw message, when the mail was sent in raw form. */
  raw: string | null
}

export interface StoredMail {
  id: string
  accountId: string
  direction: 'out' | 'in'
  worker: string | null
  from: string
  to: string[]
  subject: string
  content: MailContent
  status: MailStatus
  detail: string | null
  createdAt: number
}

const LISTED_MAILS_MAX = 200

interface MailRow {
  id: string
  account_id: string
  direction: StoredMail['direction']
  worker: string | null
  sender: string
  recipients: JsonText<string[]>
  subject: string
  message: JsonText<MailContent>
  status: MailStatus
  detail: string | null
  created_at: number
}

const toMail = (row: MailRow): StoredMail => ({
  id: row.id,
  accountId: row.account_id,
  direction: row.direction,
  worker: row.worker,
  from: row.sender,
  to: JSON.parse(row.recipients),
  subject: row.subject,
  content: JSON.parse(row.message),
  status: row.status,
  detail: row.detail,
  createdAt: row.created_at,
})

/** Stores a mail. Does nothing when a mail with the given `id` is already stored. */
export function insertMail(
  store: Store,
  mail: Omit<StoredMail, 'id' | 'createdAt'> & { id?: string; at: number },
): StoredMail {
  const id = mail.id ?? randomUUID()
  store.run(
    `INSERT OR IGNORE INTO mails (id, account_id, direction, worker, sender, recipients, subject, message, status, detail, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    mail.accountId,
    mail.direction,
    mail.worker,
    mail.from,
    JSON.stringify(mail.to) satisfies MailRow['recipients'],
    mail.subject,
    JSON.stringify(mail.content) satisfies MailRow['message'],
    mail.status,
    mail.detail,
    mail.at,
  )
  return requireStored(findMail(store, id))
}

export function findMail(store: Store, id: string): StoredMail | null {
  const row = store.get<MailRow>('SELECT * FROM mails WHERE id = ?', id)
  return row === undefined ? null : toMail(row)
}

/** Lists mails, newest first, at most 200. */
export function listMails(
  store: Store,
  of: { accountId?: string; to?: string | undefined; since?: number | undefined } = {},
): StoredMail[] {
  return store
    .all<MailRow>(
      `SELECT * FROM mails
       WHERE (? IS NULL OR account_id = ?) AND created_at >= ?
         AND (? IS NULL OR EXISTS (SELECT 1 FROM json_each(recipients) WHERE value = ?))
       ORDER BY created_at DESC, rowid DESC LIMIT ?`,
      of.accountId ?? null,
      of.accountId ?? null,
      of.since ?? 0,
      of.to ?? null,
      of.to ?? null,
      LISTED_MAILS_MAX,
    )
    .map(toMail)
}

export function settleMail(store: Store, id: string, status: MailStatus, detail: string | null = null): void {
  store.run('UPDATE mails SET status = ?, detail = ? WHERE id = ?', status, detail, id)
}

/** Stops deliveries to an address, as after a bounce. */
export function suppress(store: Store, accountId: string, address: string, at: number): void {
  store.run('INSERT OR IGNORE INTO email_suppressions VALUES (?, ?, ?)', accountId, address, at)
}

export function isSuppressed(store: Store, accountId: string, address: string): boolean {
  const sql = 'SELECT 1 FROM email_suppressions WHERE account_id = ? AND address = ?'
  return store.get(sql, accountId, address) !== undefined
}

export function listSuppressions(store: Store, accountId: string): { address: string; createdAt: number }[] {
  return store
    .all<{ address: string; created_at: number }>(
      'SELECT * FROM email_suppressions WHERE account_id = ? ORDER BY address',
      accountId,
    )
    .map((row) => ({ address: row.address, createdAt: row.created_at }))
}
