import type { ResultOf, AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { notSignedIn, failureAnswer } from '../kernel/errors.ts'
import { logError } from '../kernel/objects/log.ts'
import { MessageStore, type MessageWork, type WorkAttempt } from '../kernel/objects/messages.ts'
import { RECHECK_MS, type RunnerDeps } from '../kernel/objects/runs.ts'
import { type PushOutcome, deliver } from './deliver.ts'
import { Devices, type PushDump } from './devices.ts'
import { pushSettingsOf } from './settings.ts'
import type { OutgoingPush, PushObjectCalls, PushReport } from './types.ts'
import type { JsonText } from '../kernel/json-text.ts'

/** The first attempt and three retries while the push service is busy or down. */
const ATTEMPTS_MAX = 4
/** When this many notifications wait, the push service has been down for long, so new ones fail at once. */
const QUEUED_NOTIFICATIONS_MAX = 200
/** The maximum number of notifications that one alarm sends. The next alarm sends further ones. */
const SENDS_PER_ALARM = 20

type SendWork = MessageWork<'send', JsonText<OutgoingPush>>

export class ObjectPush {
  readonly #parts: RunnerDeps
  readonly #devices: Devices
  readonly #work: MessageStore<SendWork>
  readonly #release: (id: string) => Promise<void>

  /** `release` deletes a device's entry from the directory, the Durable Object that knows the owner of each device. */
  constructor(parts: RunnerDeps, release: (id: string) => Promise<void>) {
    this.#parts = parts
    this.#devices = new Devices(parts.ctx.storage)
    this.#work = new MessageStore(parts.ctx.storage, 'push', ATTEMPTS_MAX)
    this.#release = release
  }

  /** Returns an `ApiError` as a value, because an error that is thrown across RPC loses its code. */
  async answer<Kind extends keyof PushObjectCalls>(
    kind: Kind,
    ask: PushObjectCalls[Kind]['ask'],
    isPersonThere: boolean,
  ): Promise<ResultOf<PushObjectCalls, Kind>> {
    try {
      if (kind !== 'has') this.#parts.hold.require()
      // Store no device for a person who was erased in the meantime: nothing would remove it.
      if (kind === 'add' && !isPersonThere) throw notSignedIn()
      return { ok: true, value: await this.#handlers[kind](ask) }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  readonly #handlers: AsyncHandlersOf<PushObjectCalls> = {
    has: ({ id }) => this.#devices.find(id) !== null,
    add: (device) => {
      for (const id of this.#devices.add(device)) this.#releaseDevice(id)
      return null
    },
    remove: ({ id }) => {
      this.#devices.remove(id)
      return null
    },
    send: (message) => this.#sendToDevices(message),
  }

  /** Stores a notification for each device before sending the first, so that none is lost when this object stops. */
  async #sendToDevices(message: OutgoingPush): Promise<PushReport> {
    const report = { sent: 0, gone: 0, failed: 0 }
    const devices = this.#devices.list()
    if (devices.length === 0) return report
    if (this.#work.count('send') >= QUEUED_NOTIFICATIONS_MAX) return { ...report, failed: devices.length }
    const now = Date.now()
    const body = JSON.stringify(message)
    const own = new Set<string>(devices.map(() => crypto.randomUUID()))
    const starts = this.#parts.ctx.storage.transactionSync(() => {
      for (const [at, id] of [...own].entries())
        this.#work.add({ id, kind: 'send', target: devices[at]?.id ?? '', body }, now)
      return this.#dueWork(now, QUEUED_NOTIFICATIONS_MAX + devices.length)
    })
    this.#setAlarm()
    const outcomes = await Promise.all(
      starts.map(async (start) => ({ id: start.id, outcome: await this.#deliverTo(start) })),
    )
    for (const { id, outcome } of outcomes) {
      if (!own.has(id)) continue
      report[outcome === 'sent' || outcome === 'gone' ? outcome : 'failed'] += 1
    }
    return report
  }

  wake(): void {
    const { hold, alarms, ctx } = this.#parts
    // Check again later: the end of a move to another cloud account sets no alarm.
    if (hold.isHeld) return alarms.set('push', Date.now() + RECHECK_MS)
    const starts = this.#dueWork(Date.now(), SENDS_PER_ALARM)
    this.#setAlarm()
    for (const start of starts) ctx.waitUntil(this.#deliverTo(start))
  }

  #dueWork(nowMs: number, limit: number): WorkAttempt<SendWork>[] {
    const { starts, lost } = this.#work.due(['send'], nowMs, limit)
    for (const { target } of lost) this.#logGivenUp(target)
    return starts
  }

  async #deliverTo(start: WorkAttempt<SendWork>): Promise<PushOutcome> {
    const { env, hold } = this.#parts
    const device = this.#devices.find(start.target)
    const message = JSON.parse(start.body)
    const isLate = start.attempt > 1 && message.endsAt <= Date.now()
    const outcome =
      device === null ? 'gone' : isLate ? 'refused' : await deliver(device, message, pushSettingsOf(env))
    // Store no result while the app is being copied to another cloud account: the copy may already list this
    // notification as waiting, and the new account sends it again.
    if (hold.isHeld) return outcome
    if (outcome === 'gone') {
      this.#devices.remove(start.target)
      this.#releaseDevice(start.target)
    }
    const settled = this.#work.settle(start, outcome !== 'again', Date.now())
    if (outcome === 'refused' || settled === 'given up') this.#logGivenUp(start.target)
    this.#setAlarm()
    return outcome
  }

  #logGivenUp(target: string): void {
    const device = this.#devices.find(target)
    const host = device === null ? '' : new URL(device.endpoint).host
    logError(new Error(`A notification was not accepted by ${host}.`), {
      route: 'push.send',
      tier: this.#parts.tier,
    })
  }

  /** A failure is harmless: the old owner stays in the directory until another person's browser adds the same device. */
  #releaseDevice(id: string): void {
    this.#parts.ctx.waitUntil(this.#release(id).catch(() => {}))
  }

  count(): number {
    return this.#devices.list().length
  }

  dump(): PushDump | null {
    const devices = this.#devices.list()
    return devices.length === 0 ? null : { devices, waiting: this.#work.dump() }
  }

  /**
   * Stores the result of `dump` after the app was copied to another cloud account. A repeated call stores the
   * same rows.
   */
  restore({ devices, waiting }: PushDump): void {
    for (const device of devices) this.#devices.add(device)
    if (waiting !== null) this.#work.restore(waiting)
    this.#setAlarm()
  }

  #setAlarm(): void {
    const at = this.#work.nextAt(0)
    if (at !== null) this.#parts.alarms.set('push', at)
  }
}
