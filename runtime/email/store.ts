import type { SyncStorage } from 'cloudflare:workers'
import { joinBytes } from '../kernel/bytes.ts'
import { LEASE_MS } from '../kernel/objects/pauses.ts'
import type { OutgoingMail } from './types.ts'
import { hasTable, type RunSql, sqlRunner } from '../kernel/objects/sql.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** The maximum number of messages to keep while the capability `email` is off. They are never sent. */
const UNSENT_MAILS_MAX = 200
const SETTLED_MAILS_MAX = 1000
const RETENTION_MS = 7 * DAY_MS
/** A value in a row holds at most 2 MB, so files are stored in pieces. */
const FILE_PIECE_BYTES = 1024 * 1024
/** A transfer ends with the mail that makes it exceed this size. The largest mail is 5 MiB, and base64 makes its files a third larger. */
const TRANSFER_BYTES_MAX = 1024 * 1024
const TRANSFER_MAILS_MAX = 100

export interface InboxMail {
  to: string
  subject: string
  text: string
}

export interface KeptMail extends InboxMail {
  id: number
  createdAt: string
}

/** `app` is mail of the app's server code. The runtime sends the other kinds: for signing in, to invite to a team, and to the operator. */
export type MailKind = 'app' | 'auth' | 'invitation' | 'notice'

/** A `kept` mail is only shown to the operator. A `waiting` mail is sent as soon as possible. */
export type MailState = 'kept' | 'waiting' | 'sent' | 'failed'

export interface QueuedMail {
  id: string
  kind: MailKind
  mail: OutgoingMail
  /** The id of the mail's reservation in the budget; null until just before the mail is sent. */
  reservation: string | null
  /** After this time the mail is no longer sent. */
  goodUntilMs: number
}

export interface MailAttempt {
  n: number
  id: string
  kind: MailKind
  recipients: string[]
  reservation: string | null
  attempt: number
}

export interface ListedMail {
  id: string
  kind: MailKind
  to: string[]
  /** Null for sign-in messages, because their subject contains the code. */
  subject: string | null
  state: MailState
  attempts: number
  error: string | null
  createdAt: string
  sentAt: string | null
}

interface RecipientsRow {
  recipients: JsonText<string[]>
}

interface ContentRow extends RecipientsRow {
  subject: string
  body: string
  html: string | null
  reply_to: string | null
}

/** A part of a file. `place` is the position of the file among those of its mail. */
interface FilePiece {
  place: number
  name: string
  type: string
  bytes: ArrayBuffer
}

/** An unsent mail that is copied when an app moves to another cloud account. */
export interface MovedMail extends Omit<QueuedMail, 'reservation'> {
  n: number
  state: MailState
  createdAt: string
}

/**
 * The mail of production or of the preview. The text of a mail that was sent or has failed is deleted. Every
 * method is synchronous, so each is one transaction.
 */
export class MailStore {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
    this.#runSql(`create table if not exists mails (n integer primary key autoincrement, id text not null unique,
      kind text not null, recipients text not null, subject text not null, body text not null, html text,
      reply_to text, state text not null, attempt integer not null, start_at integer not null,
      is_running integer not null, reservation text, error text, created_at text not null, sent_at text,
      good_until integer not null)`)
    this.#runSql('create index if not exists mails_start on mails (state, start_at)')
    this.#runSql(`create table if not exists mail_files (mail integer not null, place integer not null,
      piece integer not null, name text not null, type text not null, bytes blob not null,
      primary key (mail, place, piece)) without rowid`)
    this.#migrateOutbox()
  }

  /** Copies the sign-in messages that earlier versions stored in a separate table. */
  #migrateOutbox(): void {
    if (!hasTable(this.#runSql, 'outbox')) return
    this.#storage.transactionSync(() => {
      this.#runSql(`insert into mails (id, kind, recipients, subject, body, state, attempt, start_at, is_running,
        created_at, good_until) select 'kept ' || id, 'auth', json_array(recipient), subject, body, 'kept', 0, 0, 0,
        created_at, 0 from outbox order by id`)
      this.#runSql('drop table outbox')
    })
  }

  /**
   * Stores a message for the operator. For null it does the same work and stores nothing, so that the response time does not reveal whether
   * there is a message.
   */
  keep(mail: InboxMail | null, now: Date): void {
    this.#storage.transactionSync(() => {
      const n = this.#insertMail(mail, 'kept', { now, id: crypto.randomUUID(), kind: 'auth', goodUntilMs: 0 })
      this.#removeOld(now)
      if (mail === null) this.#deleteMail(n)
    })
  }

  capture({ to, subject, text }: OutgoingMail, now: Date): void {
    this.#storage.transactionSync(() => {
      const [first = ''] = to
      const about = { now, id: crypto.randomUUID(), kind: 'app' as const, goodUntilMs: 0 }
      const n = this.#insertMail({ to: first, subject, text }, 'kept', about)
      this.#runSql('update mails set recipients = ? where n = ?', JSON.stringify(to), n)
      this.#removeOld(now)
    })
  }

  /** Queues a sign-in message, due now. For null it does the same work and stores nothing, like `keep`. */
  queue(mail: InboxMail | null, id: string, goodUntilMs: number, now: Date): void {
    this.#storage.transactionSync(() => {
      const n = this.#insertMail(mail, 'waiting', { now, id, kind: 'auth', goodUntilMs })
      this.#removeOld(now)
      if (mail === null) this.#deleteMail(n)
    })
  }

  has(id: string): boolean {
    return this.#runSql('select 1 from mails where id = ?', id).length > 0
  }

  add({ id, kind, mail, reservation, goodUntilMs }: QueuedMail, now: Date): void {
    this.#storage.transactionSync(() => {
      const [to = ''] = mail.to
      const { subject, text, html, replyTo } = mail
      const n = this.#insertMail({ to, subject, text }, 'waiting', { now, id, kind, goodUntilMs })
      this.#runSql(
        'update mails set recipients = ?, html = ?, reply_to = ?, reservation = ? where n = ?',
        JSON.stringify(mail.to),
        html,
        replyTo,
        reservation,
        n,
      )
      for (const [place, { name, type, bytes }] of mail.attachments.entries())
        for (let piece = 0; piece === 0 || piece * FILE_PIECE_BYTES < bytes.length; piece++)
          this.#runSql(
            'insert into mail_files values (?, ?, ?, ?, ?, ?)',
            n,
            place,
            piece,
            name,
            type,
            bytes.slice(piece * FILE_PIECE_BYTES, (piece + 1) * FILE_PIECE_BYTES),
          )
      this.#removeOld(now)
    })
  }

  #insertMail(
    mail: InboxMail | null,
    state: MailState,
    { now, id, kind, goodUntilMs }: { now: Date; id: string; kind: MailKind; goodUntilMs: number },
  ): number {
    const { to, subject, text } = mail ?? { to: '', subject: '', text: '' }
    const [row] = this.#runSql<{ n: number }>(
      `insert into mails (id, kind, recipients, subject, body, state, attempt, start_at, is_running, created_at,
         good_until) values (?, ?, ?, ?, ?, ?, 0, ?, 0, ?, ?) returning n`,
      id,
      kind,
      JSON.stringify([to]),
      subject,
      text,
      state,
      now.getTime(),
      now.toISOString(),
      goodUntilMs,
    )
    return Number(row?.n)
  }

  #deleteMail(n: number): void {
    this.#runSql('delete from mail_files where mail = ?', n)
    this.#runSql('delete from mails where n = ?', n)
  }

  #removeOld(now: Date): void {
    const stale = this.#runSql<{ n: number }>(
      `select n from mails where created_at < ?
       union select n from (select n from mails where state = 'kept' and recipients <> '[""]'
         order by n desc limit -1 offset ${UNSENT_MAILS_MAX})
       union select n from (select n from mails where state in ('sent', 'failed')
         order by n desc limit -1 offset ${SETTLED_MAILS_MAX})`,
      retentionStart(now),
    )
    for (const { n } of stale) this.#deleteMail(n)
  }

  countWaiting(): number {
    const sql = "select count(*) as n from mails where state = 'waiting'"
    return Number(this.#runSql<{ n: number }>(sql)[0]?.n)
  }

  /** Returns when the next mail is due; null when none waits. */
  nextAt(): number | null {
    const sql = "select min(start_at) as at from mails where state = 'waiting'"
    return this.#runSql<{ at: number | null }>(sql)[0]?.at ?? null
  }

  /** Makes all mail that waits for its first send attempt due now. */
  retryNow(nowMs: number): void {
    this.#runSql(
      "update mails set start_at = ? where state = 'waiting' and attempt = 0 and start_at > ?",
      nowMs,
      nowMs,
    )
  }

  /** Returns due mail, oldest first. A mail whose send was interrupted is due again, and the interrupted send counts as an attempt. */
  due(nowMs: number, limit: number): (MailAttempt & { goodUntilMs: number })[] {
    const sql = `select n, id, kind, recipients, reservation, attempt, good_until as goodUntilMs from mails
      where state = 'waiting' and start_at <= ? order by start_at, n limit ?`
    type Row = Omit<MailAttempt, 'recipients'> & RecipientsRow & { goodUntilMs: number }
    return this.#runSql<Row>(sql, nowMs, limit).map((row) => ({
      ...row,
      recipients: JSON.parse(row.recipients),
    }))
  }

  begin({ n, attempt }: MailAttempt, reservation: string, nowMs: number): void {
    const sql = 'update mails set is_running = 1, attempt = ?, reservation = ?, start_at = ? where n = ?'
    this.#runSql(sql, attempt + 1, reservation, nowMs + LEASE_MS, n)
  }

  /** Returns a mail with its files; null when it was removed in the meantime. */
  content(n: number): OutgoingMail | null {
    const [row] = this.#runSql<ContentRow>('select * from mails where n = ?', n)
    if (row === undefined) return null
    const files = new Map<number, { name: string; type: string; pieces: Uint8Array[] }>()
    for (const { place, name, type, bytes } of this.#runSql<FilePiece>(
      'select place, name, type, bytes from mail_files where mail = ? order by place, piece',
      n,
    )) {
      const file = files.get(place) ?? { name, type, pieces: [] }
      file.pieces.push(new Uint8Array(bytes))
      files.set(place, file)
    }
    return {
      to: JSON.parse(row.recipients),
      subject: row.subject,
      text: row.body,
      html: row.html,
      replyTo: row.reply_to,
      attachments: [...files.values()].map(({ name, type, pieces }) => ({
        name,
        type,
        bytes: joinBytes(...pieces),
      })),
    }
  }

  postpone(n: number, atMs: number, error: string | null): void {
    const sql = 'update mails set is_running = 0, reservation = null, start_at = ?, error = ? where n = ?'
    this.#runSql(sql, atMs, error, n)
  }

  /** Returns false when another attempt has begun, or the mail was sent or has failed. */
  isUnderWay({ n, attempt }: MailAttempt): boolean {
    const sql = 'select 1 from mails where n = ? and attempt = ? and is_running = 1'
    return this.#runSql(sql, n, attempt + 1).length > 0
  }

  reservationOf(n: number): string | null {
    const sql = 'select reservation from mails where n = ?'
    return this.#runSql<Pick<MailAttempt, 'reservation'>>(sql, n)[0]?.reservation ?? null
  }

  /** Stores the final state and deletes the mail's text and files. */
  end(n: number, state: 'sent' | 'failed', { error, now }: { error: string | null; now: Date }): void {
    this.#runSql('delete from mail_files where mail = ?', n)
    this.#runSql(
      `update mails set state = ?, is_running = 0, body = '', html = null, error = ?, sent_at = ? where n = ?`,
      state,
      error,
      state === 'sent' ? now.toISOString() : null,
      n,
    )
  }

  /** Returns the mails that are kept or waiting, newest first. */
  unsent(limit: number, now: Date): KeptMail[] {
    const sql = `select n as id, recipients, subject, body as text, created_at as createdAt from mails
      where state in ('kept', 'waiting') and created_at >= ? order by n desc limit ?`
    type Row = Omit<KeptMail, 'to'> & RecipientsRow
    return this.#runSql<Row>(sql, retentionStart(now), limit).map(({ recipients, ...row }) => ({
      ...row,
      to: JSON.parse(recipients).join(', '),
    }))
  }

  /** Returns the mails in every state, newest first. */
  list(limit: number, now: Date): ListedMail[] {
    const sql = `select id, kind, recipients, case when kind = 'auth' then null else subject end as subject, state,
      attempt as attempts, error, created_at as createdAt, sent_at as sentAt from mails where created_at >= ? order by n desc limit ?`
    type Row = Omit<ListedMail, 'to'> & RecipientsRow
    return this.#runSql<Row>(sql, retentionStart(now), limit).map(({ recipients, ...row }) => ({
      ...row,
      to: JSON.parse(recipients),
    }))
  }

  /** Returns how many stored mails, sent or not, have this address as a recipient. */
  count(address: string): number {
    return this.#mailsTo(address).length
  }

  forget(address: string): void {
    this.#storage.transactionSync(() => {
      for (const { n, recipients } of this.#mailsTo(address)) {
        const others = JSON.parse(recipients).filter((one: string) => one !== address)
        if (others.length === 0) this.#deleteMail(n)
        else this.#runSql('update mails set recipients = ? where n = ?', JSON.stringify(others), n)
      }
      this.#runSql('update mails set reply_to = null where reply_to = ?', address)
    })
  }

  #mailsTo(address: string): (RecipientsRow & { n: number })[] {
    const sql =
      'select n, recipients from mails where exists (select 1 from json_each(recipients) where value = ?)'
    return this.#runSql<RecipientsRow & { n: number }>(sql, address)
  }

  /**
   * Returns the unsent mails that follow the mail `after`, oldest first, for a move to another cloud account: as many as fit in one
   * transfer, but at least one. Returns none after the last one.
   */
  dump(after: number): MovedMail[] {
    const sql = `select n, id, kind, state, created_at as createdAt, good_until as goodUntilMs from mails
      where state in ('kept', 'waiting') and n > ? order by n limit ${TRANSFER_MAILS_MAX}`
    const mails: MovedMail[] = []
    let size = 0
    for (const row of this.#runSql<Omit<MovedMail, 'mail'>>(sql, after)) {
      const mail = this.content(row.n)
      if (mail === null || size > TRANSFER_BYTES_MAX) break
      mails.push({ ...row, mail })
      size += mail.text.length + (mail.html ?? '').length
      for (const { bytes } of mail.attachments) size += bytes.length
    }
    return mails
  }

  /** Stores what the `dump` of another outbox returned. Idempotent. */
  restore(mails: readonly MovedMail[]): void {
    this.#storage.transactionSync(() => {
      for (const { createdAt, state, ...mail } of mails.filter(({ id }) => !this.has(id))) {
        this.add({ ...mail, reservation: null }, new Date(createdAt))
        this.#runSql('update mails set state = ? where id = ?', state, mail.id)
      }
    })
  }
}

const retentionStart = (now: Date): string => new Date(now.getTime() - RETENTION_MS).toISOString()
