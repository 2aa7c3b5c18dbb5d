import { fieldsFor, type Records } from '../data/records.ts'
import { collectionOf } from '../data/rules.ts'
import {
  ATTEMPTS_MAX,
  type MessageDump,
  MessageStore,
  type MessageWork,
  type WorkAttempt,
} from '../kernel/objects/messages.ts'
import { ApiError, failureAnswer, errorText } from '../kernel/errors.ts'
import { logError } from '../kernel/objects/log.ts'
import type { CollectionSpec, FieldSpec, Manifest } from '../kernel/manifest.ts'
import type { Objects } from '../kernel/objects/objects.ts'
import { callHandlers, handlersOf, RECHECK_MS, type RunnerDeps } from '../kernel/objects/runs.ts'
import { callMail } from './rpc.ts'
import type { InboxCalls, NewMail } from './calls.ts'
import { emailSettingsOf, type MailboxSettings } from './settings.ts'
import type { MailEvent } from './types.ts'
import type { ResultOf, HandlersOf } from '../kernel/objects/calls.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { DAY_MS } from '../kernel/durations.ts'

const STARTS_PER_ALARM = 20
/** How long a repeated delivery of a mail is recognized by its Message-ID. */
const REPEAT_WINDOW_MS = 30 * DAY_MS
const FORGOTTEN_AT_ONCE = 100
const EXCERPT_CHARS = 500
/** The limit of a text field that does not declare a limit. */
const TEXT_CHARS_MAX = 10_000
const SHORTENED_TEXT_CHARS = 2000

interface MailNotice {
  subject: string
  text: string
}

type RunWork = MessageWork<'run', JsonText<MailEvent>>
type SendWork = MessageWork<'send', JsonText<MailNotice>>

export class ObjectInbox {
  readonly #parts: RunnerDeps
  readonly #records: Records
  readonly #objects: Objects
  readonly #store: MessageStore<RunWork | SendWork>

  constructor(parts: RunnerDeps, records: Records, objects: Objects) {
    this.#parts = parts
    this.#records = records
    this.#objects = objects
    this.#store = new MessageStore(parts.ctx.storage, 'mail')
  }

  answer<Kind extends keyof InboxCalls>(
    kind: Kind,
    ask: InboxCalls[Kind]['ask'],
  ): ResultOf<InboxCalls, Kind> {
    try {
      this.#parts.hold.require()
      return { ok: true, value: this.#handlers[kind](ask) }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  readonly #handlers: HandlersOf<InboxCalls> = {
    seen: ({ mailbox, messageId }) =>
      this.#store.same(messageKey(mailbox, messageId), Date.now(), REPEAT_WINDOW_MS) !== null,
    take: ({ hash, mailbox, mail }) => this.#storeMail(hash, mailbox, mail),
  }

  /**
   * In one transaction, stores the mail as a record and queues its handler and the notice to the operator.
   * Does nothing for a Message-ID that was stored in the last 30 days.
   */
  #storeMail(hash: string, mailbox: MailboxSettings, mail: NewMail): { id: string; isNew: boolean } {
    const now = Date.now()
    const { address, collection } = mailbox
    const key = messageKey(address, mail.messageId)
    const same = this.#store.same(key, now, REPEAT_WINDOW_MS)
    if (same !== null) return { id: same, isNew: false }
    const manifest = this.#records.manifest(hash)
    if (manifest === null) throw new ApiError('unavailable', 'The release is not known here.')
    const spec = collectionOf(manifest, collection)
    const id = crypto.randomUUID().replaceAll('-', '')
    const event: MailEvent = { ...mail, id, mailbox: address, receivedAt: new Date(now).toISOString() }
    const handler = manifest.mailboxes?.find((one) => one.collection === collection)?.handler
    const { notifyTo } = emailSettingsOf(this.#parts.env)
    const notified = mailbox.notify && !mail.isAutomatic && !this.#isOwnAddress(notifyTo) ? notifyTo : null
    this.#parts.ctx.storage.transactionSync(() => {
      this.#store.keep({ id, collection, key, at: now })
      if (handler !== undefined)
        this.#store.add({ id, kind: 'run', target: handler, body: JSON.stringify(dropLongHtml(event)) }, now)
      if (notified !== null)
        this.#store.add(
          { id: `notice ${id}`, kind: 'send', target: notified, body: JSON.stringify(noticeOf(event)) },
          now,
        )
      this.#writeRecord(manifest, { id, collection, spec }, event)
    })
    this.#setAlarm()
    return { id, isNew: true }
  }

  /** Detects the app's own addresses: a notice to such an address would arrive as mail and cause the next notice. */
  #isOwnAddress(address: string | null): boolean {
    const { mailboxes } = emailSettingsOf(this.#parts.env)
    return mailboxes.some((one) => one.address.toLowerCase() === address?.toLowerCase())
  }

  /** Creates the record of a mail. When the record is too large to be stored, leaves out the HTML, and then also cuts the text. */
  #writeRecord(
    manifest: Manifest,
    { id, collection, spec }: { id: string; collection: string; spec: CollectionSpec },
    event: MailEvent,
  ): void {
    const forms = [
      event,
      { ...event, html: null },
      { ...event, html: null, text: event.text.slice(0, SHORTENED_TEXT_CHARS) },
    ]
    for (const [i, form] of forms.entries())
      try {
        const fields = fieldsFor(spec, cutToFields(spec, form))
        this.#records.write(manifest, [{ op: 'create', collection, id, fields }])
        return
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_request' || i === forms.length - 1)
          throw error
      }
  }

  wake(): void {
    const { hold, alarms, ctx } = this.#parts
    // Changes are rejected while the data is copied to another cloud account. Nothing sets this alarm when
    // the copy ends, so check again later.
    if (hold.isHeld) return alarms.set('inbox', Date.now() + RECHECK_MS)
    for (const { id } of this.#store.before(Date.now() - REPEAT_WINDOW_MS, FORGOTTEN_AT_ONCE))
      this.#store.forget(id)
    const isConnected = handlersOf(this.#parts, 'email') !== null
    const kinds = isConnected ? (['run', 'send'] as const) : (['send'] as const)
    const { starts, lost } = this.#store.due(kinds, Date.now(), STARTS_PER_ALARM)
    for (const work of lost) this.#logGivenUp(work, 'It did not end in time.')
    this.#setAlarm()
    if (!isConnected && this.#store.count('run') > 0) alarms.set('inbox', Date.now() + RECHECK_MS)
    for (const start of starts)
      ctx.waitUntil(start.kind === 'run' ? this.#runHandler(start) : this.#sendNotice(start))
  }

  /**
   * Called after the app's worker was deployed: sets the alarm for mail whose handler could not run before.
   */
  resume(): void {
    if (this.#store.count('run') > 0) this.#setAlarm()
  }

  async #runHandler(start: WorkAttempt<RunWork>): Promise<void> {
    const event = JSON.parse(start.body)
    const info = { id: start.id, attempt: start.attempt, scheduledAt: event.receivedAt, userId: null }
    const outcome = await callHandlers(this.#parts, 'email', (handlers) =>
      handlers.mail(start.target, event, info),
    )
    this.#settleWork(start, outcome.ok ? null : outcome.error)
  }

  async #sendNotice(start: WorkAttempt<SendWork>): Promise<void> {
    const { subject, text } = JSON.parse(start.body)
    const mail = { to: start.target, subject, text }
    const id = `mail_${start.id.slice('notice '.length)}`
    try {
      await callMail(this.#objects, this.#parts.tier, 'offer', { id, kind: 'notice', mail })
      this.#settleWork(start, null)
    } catch (error) {
      this.#settleWork(start, errorText(error))
    }
  }

  #settleWork(start: WorkAttempt, error: string | null): void {
    // Store no outcome while the data is copied to another cloud account: the copy already lists this handler
    // run or notice as unfinished, and the new account repeats it.
    if (this.#parts.hold.isHeld) return
    const settled = this.#store.settle(start, error === null, Date.now())
    if (settled === 'given up') this.#logGivenUp(start, error)
    this.#setAlarm()
  }

  #logGivenUp({ kind, target }: MessageWork, error: string | null): void {
    logError(new Error(`${target} was given up after ${ATTEMPTS_MAX} attempts: ${error}`), {
      route: kind === 'run' ? `job ${target}` : 'email',
      tier: this.#parts.tier,
    })
  }

  #setAlarm(): void {
    const at = this.#store.nextAt(REPEAT_WINDOW_MS)
    if (at !== null) this.#parts.alarms.set('inbox', at)
  }

  dump(): MessageDump | null {
    return this.#store.dump()
  }

  restore(dump: MessageDump): void {
    this.#store.restore(dump)
    this.#setAlarm()
  }
}

const messageKey = (mailbox: string, messageId: string): string => `${mailbox} ${messageId}`

/** Cuts texts and lists to the limits of their fields. Leaves out HTML and JSON that would have to be cut. */
function cutToFields({ fields }: CollectionSpec, event: MailEvent): object {
  const { id: _id, html, ...facts } = event
  const cut = Object.entries(facts).map(([name, value]) => [name, cutToField(fields[name], value)])
  const isLong = html !== null && html.length > (fields['html']?.max ?? TEXT_CHARS_MAX)
  return { ...Object.fromEntries(cut), html: isLong ? null : html }
}

function cutToField(field: FieldSpec | undefined, value: unknown): unknown {
  if (field?.type === 'list' && Array.isArray(value)) return value.slice(0, field.max)
  if (field?.type !== 'text') return value
  const charsMax = field.max ?? TEXT_CHARS_MAX
  if (typeof value === 'string') {
    // A mail may lack a sender, a subject or a text, and must not be refused because its collection requires them.
    const text = field.required === true && value.trim() === '' ? '(empty)' : value
    return text.slice(0, charsMax)
  }
  return JSON.stringify(value).length > charsMax ? null : value
}

/**
 * Leaves long HTML out of the event for the handler: a row holds at most 2 MB, and queued work that is too
 * large is not copied when the app moves to another cloud account. The record has HTML of any length that its
 * field allows.
 */
const dropLongHtml = (event: MailEvent): MailEvent =>
  event.html === null || event.html.length <= SHORTENED_TEXT_CHARS * 10 ? event : { ...event, html: null }

function noticeOf({ mailbox, from, subject, text }: MailEvent): MailNotice {
  const excerpt = text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)} ...` : text
  return {
    subject: `New mail to ${mailbox}: ${subject}`.slice(0, EXCERPT_CHARS),
    text: `${from} has written to ${mailbox}:\n\n${subject}\n\n${excerpt}`,
  }
}
