import { Budget, type BudgetClaim } from '../directory/budget.ts'
import { ApiError, failureAnswer, rateLimitedError } from '../kernel/errors.ts'
import { rejectWhenLate } from '../kernel/reject-when-late.ts'
import { logError } from '../kernel/objects/log.ts'
import { RECHECK_MS, type RunnerDeps } from '../kernel/objects/runs.ts'
import { sha256 } from '../kernel/secrets.ts'
import type { MailObjectCalls } from './calls.ts'
import { mailFields, type SendEmail } from './compose.ts'
import { newMailId } from './message.ts'
import { emailSettingsOf } from './settings.ts'
import { type MailKind, type MailAttempt, MailStore } from './store.ts'
import type { OutgoingMail } from './types.ts'
import type { ResultOf, HandlersOf } from '../kernel/objects/calls.ts'
import type { PartContext } from '../kernel/objects/part.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** The maximum number of mails that one alarm sends; the next alarm sends the rest. */
const MAILS_PER_ALARM = 20
const WAITING_MAILS_MAX = 1000
const NOTICES_PER_HOUR = 20
/** Invitations may use a quarter of the hourly limit. */
const INVITATIONS_SHARE = 4
const SEND_DEADLINE_MS = 7 * DAY_MS
/** How long one send may take. Shorter than the lifetime of the mail's budget reservation, so that every sent mail is counted. */
const SEND_MS_MAX = 60_000
const FIRST_PAUSE_MS = 30_000
/** Each pause is four times the previous pause, so the last attempt is about 11 hours after the first. */
const ATTEMPTS_MAX = 7

/** Provider errors that every retry would get again. */
const FINAL_ERROR = /^E_(VALIDATION|RECIPIENT|CONTENT)/

export const createMail = (parts: PartContext): ObjectMail =>
  new ObjectMail(parts, () => parts.dir.active()?.manifest.name ?? '')

export class ObjectMail {
  readonly #parts: RunnerDeps
  readonly #appName: () => string
  readonly #store: MailStore
  readonly #budget: Budget

  constructor(parts: RunnerDeps, appName: () => string) {
    this.#parts = parts
    this.#appName = appName
    this.#store = new MailStore(parts.ctx.storage)
    this.#budget = new Budget(parts.ctx.storage)
  }

  answer<Kind extends keyof MailObjectCalls>(
    kind: Kind,
    ask: MailObjectCalls[Kind]['ask'],
  ): ResultOf<MailObjectCalls, Kind> {
    try {
      return { ok: true, value: this.#handlers[kind](ask) }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  readonly #handlers: HandlersOf<MailObjectCalls> = {
    send: ({ id, mail }) => {
      this.#parts.hold.require()
      // The caller repeated the call because its reply was lost.
      if (this.#store.has(id)) return { id }
      this.#queueMail(id, 'app', mail)
      return { id }
    },
    offer: ({ id, kind, mail }) => {
      this.#parts.hold.require()
      if (this.#store.has(id)) return
      if (this.#parts.tier === 'preview') return this.#store.keep(mail, new Date())
      try {
        const { to, subject, text } = mail
        this.#queueMail(id, kind, { to: [to], subject, text, html: null, replyTo: null, attachments: [] })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    },
    queue: ({ mail, goodForMs }) => {
      const now = new Date()
      this.#store.queue(mail, newMailId(), now.getTime() + goodForMs, now)
      this.#wakeAt(now.getTime())
    },
    capture: ({ mail }) => this.#store.capture(mail, new Date()),
    list: ({ limit }) => this.#store.list(limit, new Date()),
    unsent: ({ limit }) => this.#store.unsent(limit, new Date()),
    resume: () => {
      this.#store.retryNow(Date.now())
      this.#setAlarm()
    },
    dump: ({ after }) => this.#store.dump(after),
    restore: ({ mails }) => {
      this.#store.restore(mails)
      this.#setAlarm()
    },
  }

  /** Reserves the budget and stores the mail in one transaction, so that an interruption leaves both or neither. */
  #queueMail(id: string, kind: MailKind, mail: OutgoingMail): void {
    const now = new Date()
    this.#parts.ctx.storage.transactionSync(() => {
      if (this.#store.countWaiting() >= WAITING_MAILS_MAX)
        throw new ApiError('rate_limited', `At most ${WAITING_MAILS_MAX} mails can wait to be sent.`)
      const reserved = this.#budget.reserve(this.#budgetClaims(kind, mail.to), now.getTime())
      if (!reserved.ok) throw limitError(reserved.key, reserved.retryAtMs, now.getTime())
      const goodUntilMs = now.getTime() + SEND_DEADLINE_MS
      this.#store.add({ id, kind, mail, reservation: reserved.id, goodUntilMs }, now)
    })
    this.#wakeAt(now.getTime())
  }

  #budgetClaims(kind: MailKind, recipients: readonly string[]): BudgetClaim[] {
    const { maxPerHour, perRecipientPerDay } = emailSettingsOf(this.#parts.env)
    const all: BudgetClaim = {
      key: ALL_MAILS_KEY,
      window: 'hour',
      limit: maxPerHour,
      amount: recipients.length,
    }
    if (kind === 'notice')
      return [all, { key: 'mail notices', window: 'hour', limit: NOTICES_PER_HOUR, amount: 1 }]
    // People may send many invitations, so reserve the rest of the limit for sign-in codes.
    const share = Math.max(1, Math.floor(maxPerHour / INVITATIONS_SHARE))
    const invitations: BudgetClaim = { key: 'mail invitations', window: 'hour', limit: share, amount: 1 }
    return [
      all,
      ...(kind === 'invitation' ? [invitations] : []),
      ...recipients.map((to) => ({
        key: recipientKey(to),
        window: 'day' as const,
        limit: perRecipientPerDay,
        amount: 1,
      })),
    ]
  }

  wake(): void {
    const { hold, alarms, ctx, env } = this.#parts
    const nowMs = Date.now()
    if (hold.isHeld) return alarms.set('mail', nowMs + RECHECK_MS)
    const { from } = emailSettingsOf(env)
    const binding = (env as { MAIL?: SendEmail }).MAIL
    const canSend = binding !== undefined && from !== null
    const starts = ctx.storage.transactionSync(() =>
      this.#store.due(nowMs, MAILS_PER_ALARM).filter((due) => this.#beginSending(due, canSend, nowMs)),
    )
    this.#setAlarm()
    if (canSend) for (const start of starts) ctx.waitUntil(this.#sendMail(start, binding, from))
  }

  /** Returns false for a mail that has expired, was tried too often, or must wait longer. */
  #beginSending(due: MailAttempt & { goodUntilMs: number }, canSend: boolean, nowMs: number): boolean {
    if (due.goodUntilMs <= nowMs) {
      this.#store.end(due.n, 'failed', { error: 'It could not be sent in time.', now: new Date(nowMs) })
      return false
    }
    if (!canSend) {
      this.#store.postpone(due.n, nowMs + RECHECK_MS, null)
      return false
    }
    if (due.attempt >= ATTEMPTS_MAX) {
      this.#giveUp(due, 'No attempt came to an end.')
      return false
    }
    const isReserved = due.reservation !== null && this.#budget.holds(due.reservation, nowMs)
    const reserved =
      isReserved && due.reservation !== null
        ? ({ ok: true, id: due.reservation } as const)
        : this.#budget.reserve(this.#budgetClaims(due.kind, due.recipients), nowMs)
    if (reserved.ok) this.#store.begin(due, reserved.id, nowMs)
    else this.#store.postpone(due.n, reserved.retryAtMs, 'The limit of mails is reached.')
    return reserved.ok
  }

  async #sendMail(start: MailAttempt, binding: SendEmail, from: string): Promise<void> {
    const mail = this.#store.content(start.n)
    if (mail === null) return
    const { replyTo } = emailSettingsOf(this.#parts.env)
    const about = { id: start.id, kind: start.kind, from, appName: this.#appName(), replyTo }
    const error = await sendFailure(() => binding.send(mailFields(mail, about)))
    // Store no outcome while the data is copied to another cloud account: the copy already lists this mail as
    // waiting, and the new account sends it again.
    if (this.#parts.hold.isHeld) return
    this.#parts.ctx.storage.transactionSync(() => this.#storeOutcome(start, error))
    this.#setAlarm()
  }

  #storeOutcome(start: MailAttempt, error: string | null): void {
    if (!this.#store.isUnderWay(start)) return
    const attempt = start.attempt + 1
    const [reservation, now] = [this.#store.reservationOf(start.n), new Date()]
    if (error === null) {
      if (reservation !== null) this.#budget.settle(reservation)
      this.#store.end(start.n, 'sent', { error: null, now })
      return
    }
    if (reservation !== null) this.#budget.release(reservation)
    if (attempt >= ATTEMPTS_MAX || FINAL_ERROR.test(error)) this.#giveUp(start, error)
    else this.#store.postpone(start.n, now.getTime() + FIRST_PAUSE_MS * 4 ** (attempt - 1), error)
  }

  #giveUp({ n, id, attempt }: MailAttempt, error: string): void {
    this.#store.end(n, 'failed', { error, now: new Date() })
    const problem = new Error(`The mail ${id} was given up after ${attempt + 1} attempts: ${error}`)
    logError(problem, { route: 'email.send', tier: this.#parts.tier })
  }

  #wakeAt(nowMs: number): void {
    this.#parts.alarms.set('mail', nowMs)
  }

  #setAlarm(): void {
    const at = this.#store.nextAt()
    if (at !== null) this.#parts.alarms.set('mail', at)
  }
}

const ALL_MAILS_KEY = 'mails'
/** Hashed, so that no address stays in the counts after its person was erased. */
const recipientKey = (address: string): string => `mails to ${sha256(address).toString('base64url')}`

function limitError(key: string, retryAtMs: number, nowMs: number): ApiError {
  const what = key === ALL_MAILS_KEY ? 'this hour' : 'to this address today'
  return rateLimitedError(`No more mails ${what}.`, Math.ceil((retryAtMs - nowMs) / 1000))
}

async function sendFailure(send: () => Promise<unknown>): Promise<string | null> {
  try {
    await rejectWhenLate(send(), SEND_MS_MAX, new Error(`It was not sent within ${SEND_MS_MAX / 1000} s.`))
    return null
  } catch (error) {
    const { code = '', message = String(error) } = error as { code?: string; message?: string }
    // Errors of the local emulator of Cloudflare have no `code` property. Their message begins with the code.
    return (code !== '' && !message.startsWith(code) ? `${code}: ${message}` : message).slice(0, 500)
  }
}
