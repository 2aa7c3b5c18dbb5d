import type { WriteOp } from '../data/frames.ts'
import type { LogEntry } from '../data/partition/store.ts'
import { type Result, ApiError, failureAnswer } from '../kernel/errors.ts'
import { logError } from '../kernel/objects/log.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { callHandlers, handlersOf, RECHECK_MS, type RunnerDeps } from '../kernel/objects/runs.ts'
import { fieldsFor, type Records } from '../data/records.ts'
import { collectionOf } from '../data/rules.ts'
import type { MessageDetails } from './message.ts'
import { sendSigned } from './send.ts'
import { hookSettingsOf } from './settings.ts'
import {
  ATTEMPTS_MAX,
  type MessageDump,
  MessageStore,
  type MessageWork,
  type WorkAttempt,
} from '../kernel/objects/messages.ts'
import type { Delivery, HookEvent, HookObjectCalls, HookSpec } from './types.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** How many handler runs and sends one alarm starts; the rest waits for the next alarm. */
const STARTS_PER_ALARM = 20
const REMOVED_AT_ONCE = 100
const OUTGOING_MAX = 1000

type RunWork = MessageWork<'run', JsonText<HookEvent>>
type SendWork = MessageWork<'send'>

export class ObjectHooks {
  readonly #parts: RunnerDeps
  readonly #records: Records
  readonly #store: MessageStore<RunWork | SendWork>
  #specs: readonly HookSpec[] | null = null

  constructor(parts: RunnerDeps, records: Records) {
    this.#parts = parts
    this.#records = records
    this.#store = new MessageStore(parts.ctx.storage, 'hook')
  }

  /** Returns an `ApiError` as a value instead of throwing it. */
  answer<Kind extends keyof HookObjectCalls>(
    kind: Kind,
    ask: HookObjectCalls[Kind]['ask'],
  ): Result<HookObjectCalls[Kind]['answer']> | null {
    try {
      this.#parts.hold.require()
      const value = this.#handlers[kind](ask)
      if (value === null) return null
      this.#setAlarm()
      return { ok: true, value }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  readonly #handlers: {
    [Kind in keyof HookObjectCalls]: (
      ask: HookObjectCalls[Kind]['ask'],
    ) => HookObjectCalls[Kind]['answer'] | null
  } = {
    take: ({ hash, delivery }) => {
      const manifest = this.#records.manifest(hash)
      return manifest === null ? null : this.#storeDelivery(manifest, delivery)
    },
    replay: ({ id }) => {
      const message = this.#store.message(id)
      const manifest = this.#records.manifest(null)
      const record = message === null ? null : this.#records.read(message.collection, message.id)
      if (message === null || manifest === null || record === null)
        throw new ApiError('not_found', 'There is no such message.')
      this.#writeOutcome(message.id, message.collection, { status: 'received', lastError: null })
      // Normally the change of the status field starts the run. A collection without that field needs this call.
      this.#queueHandler(message.id, message.collection, record)
      return { id: message.id }
    },
    send: ({ id, url, body }) => {
      if (this.#store.count('send') >= OUTGOING_MAX)
        throw new ApiError('conflict', `At most ${OUTGOING_MAX} messages wait to be sent.`)
      this.#store.add({ id, kind: 'send', target: url, body }, Date.now())
      return { id }
    },
  }

  /** Stores the record and queues its handler in one transaction, once for each delivery id. */
  #storeDelivery(manifest: Manifest, delivery: Delivery): { id: string; isNew: boolean } {
    const { endpoint, collection, handler, deliveryId, headers, body } = delivery
    const now = Date.now()
    const key = `${endpoint} ${deliveryId}`
    const same = this.#store.same(key, now)
    if (same !== null) return { id: same, isNew: false }
    const spec = collectionOf(manifest, collection)
    const id = crypto.randomUUID().replaceAll('-', '')
    const receivedAt = new Date(now).toISOString()
    const event: HookEvent = { id, endpoint, deliveryId, receivedAt, headers, body }
    this.#parts.ctx.storage.transactionSync(() => {
      this.#store.keep({ id, collection, key, at: now })
      // Queue the handler before the record is written: the write reports a record with the status `received`
      // to `see`, which would otherwise queue a second run.
      if (handler !== null)
        this.#store.add({ id, kind: 'run', target: handler, body: JSON.stringify(event) }, now)
      const facts = {
        endpoint,
        deliveryId,
        receivedAt,
        headers,
        body,
        status: 'received',
        attempts: 0,
      } as const
      this.#records.write(manifest, [{ op: 'create', collection, id, fields: fieldsFor(spec, facts) }])
    })
    return { id, isNew: true }
  }

  /** Called after writes: runs the handler again for records that the operator has set back to `received`. */
  see(log: readonly LogEntry[]): void {
    if (log.length === 0 || this.#declaredHooks.length === 0) return
    for (const { collection, id, row } of log) {
      if (row === null || !this.#declaredHooks.some((one) => one.collection === collection)) continue
      const fields = JSON.parse(row.json)
      if (fields['status'] === 'received' && this.#queueHandler(id, collection, fields)) this.#setAlarm()
    }
  }

  /** Called when the release changes, because the new release may declare other endpoints. */
  forgetRelease(): void {
    this.#specs = null
  }

  get #declaredHooks(): readonly HookSpec[] {
    this.#specs ??= this.#records.manifest(null)?.hooks ?? []
    return this.#specs
  }

  /**
   * Queues a message's handler, with the headers and body in `fields`. Returns false when there is no handler, or the handler is already
   * queued.
   */
  #queueHandler(id: string, collection: string, fields: Record<string, unknown>): boolean {
    const message = this.#store.message(id)
    if (message === null || this.#store.isUnderWay(id)) return false
    const endpoint = message.key.slice(0, message.key.indexOf(' '))
    const spec = this.#declaredHooks.find((one) => one.name === endpoint && one.collection === collection)
    if (spec?.handler === undefined) return false
    const event: HookEvent = {
      id,
      endpoint,
      deliveryId: message.key.slice(endpoint.length + 1),
      receivedAt: new Date(message.at).toISOString(),
      headers: (fields['headers'] ?? {}) as Record<string, string>,
      body: fields['body'] ?? null,
    }
    this.#store.add({ id, kind: 'run', target: spec.handler, body: JSON.stringify(event) }, Date.now())
    return true
  }

  wake(): void {
    const { hold, alarms, ctx } = this.#parts
    // Changes are rejected while the data is copied to another cloud account. Nothing sets this alarm when
    // the copy ends, so check again later.
    if (hold.isHeld) return alarms.set('hooks', Date.now() + RECHECK_MS)
    this.#removeOld()
    const isConnected = handlersOf(this.#parts, 'hook') !== null
    const kinds = isConnected ? (['run', 'send'] as const) : (['send'] as const)
    const { starts, lost } = this.#store.due(kinds, Date.now(), STARTS_PER_ALARM)
    for (const work of lost) {
      const error = 'It did not end in time.'
      this.#reportOutcome(work.id, 'given up', { attempts: null, error })
      this.#logGivenUp(work, error)
    }
    this.#setAlarm()
    if (!isConnected && this.#store.count('run') > 0) alarms.set('hooks', Date.now() + RECHECK_MS)
    for (const start of starts)
      ctx.waitUntil(start.kind === 'run' ? this.#runHandler(start) : this.#sendMessage(start))
  }

  /**
   * Called after the app's worker was deployed: sets the alarm for messages whose handler could not run
   * before.
   */
  resume(): void {
    if (this.#store.count('run') > 0) this.#setAlarm()
  }

  async #runHandler(start: WorkAttempt<RunWork>): Promise<void> {
    const { id, target, attempt } = start
    const event = JSON.parse(start.body)
    const info = { id, attempt, scheduledAt: event.receivedAt, userId: null }
    const outcome = await callHandlers(this.#parts, 'hook', (handlers) => handlers.hook(target, event, info))
    this.#settleWork(start, outcome.ok ? null : outcome.error)
  }

  async #sendMessage(start: WorkAttempt<SendWork>): Promise<void> {
    const { sendKey } = hookSettingsOf(this.#parts.env)
    const { id, target: url, body } = start
    this.#settleWork(start, await sendSigned({ id, url, body }, sendKey))
  }

  #settleWork(start: WorkAttempt, error: string | null): void {
    // Store no outcome while the data is copied to another cloud account: the copy already lists this handler
    // run or message as unfinished, and the new account repeats it.
    if (this.#parts.hold.isHeld) return
    const settled = this.#store.settle(start, error === null, Date.now())
    if (settled === null) return
    if (start.kind === 'run') this.#reportOutcome(start.id, settled, { attempts: start.attempt, error })
    if (settled === 'given up') this.#logGivenUp(start, error)
    this.#setAlarm()
  }

  #logGivenUp({ kind, target }: MessageWork, error: string | null): void {
    logError(new Error(`${target} was given up after ${ATTEMPTS_MAX} attempts: ${error}`), {
      route: kind === 'run' ? `job ${target}` : 'hook.send',
      tier: this.#parts.tier,
    })
  }

  #reportOutcome(
    id: string,
    settled: 'done' | 'again' | 'given up',
    { attempts, error }: { attempts: number | null; error: string | null },
  ): void {
    const message = this.#store.message(id)
    if (message === null) return
    const status = settled === 'done' ? 'handled' : settled === 'again' ? 'received' : 'failed'
    this.#writeOutcome(id, message.collection, {
      status,
      lastError: error,
      ...(attempts !== null && { attempts }),
    })
  }

  /** Writes the outcome into a message's record, unless the record was removed. */
  #writeOutcome(id: string, collection: string, facts: MessageDetails): void {
    const manifest = this.#records.manifest(null)
    const spec = manifest?.collections[collection]
    if (manifest === null || spec === undefined) return
    const fields = fieldsFor(spec, facts)
    if (Object.keys(fields).length === 0) return
    this.#writeIfPossible(manifest, { op: 'update', collection, id, fields })
  }

  #removeOld(): void {
    const keepMs = this.#retentionMs
    const manifest = this.#records.manifest(null)
    for (const { id, collection } of this.#store.before(Date.now() - keepMs, REMOVED_AT_ONCE)) {
      if (manifest !== null) this.#writeIfPossible(manifest, { op: 'remove', collection, id })
      this.#store.forget(id)
    }
  }

  /** Applies a change. Ignores its failure when the record was removed or other records refer to it. */
  #writeIfPossible(manifest: Manifest, op: WriteOp): void {
    try {
      this.#records.write(manifest, [op])
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }

  get #retentionMs(): number {
    return hookSettingsOf(this.#parts.env).keepDays * DAY_MS
  }

  #setAlarm(): void {
    const at = this.#store.nextAt(this.#retentionMs)
    if (at !== null) this.#parts.alarms.set('hooks', at)
  }

  dump(): MessageDump | null {
    return this.#store.dump()
  }

  restore(dump: MessageDump): void {
    this.#store.restore(dump)
    this.#setAlarm()
  }
}
