import type { WorldClock } from '../../world/clock.ts'
import type { Log } from '../../world/log.ts'
import type { Store } from '../../world/store.ts'
import type { Apps } from './apps.ts'
import { CronScheduler } from '../products/cron/scheduler.ts'
import { deliverBatch, fireTick } from './events.ts'
import { QueueDeliveries } from '../products/queues/deliveries.ts'
import { handleProducer } from '../products/queues/producer.ts'
import type { RpcHandlers } from '../workerd/rpc.ts'

interface BackgroundDeps {
  store: Store
  clock: WorldClock
  log: Log
  /** A function and not a value, because `Apps` is created later: its options contain the method `hasWorkDueWithin` of `BackgroundWork`. */
  apps(): Pick<Apps, 'group'>
}

/** Work of apps without a request: queue messages and cron triggers. */
export class BackgroundWork {
  readonly deliveries: QueueDeliveries
  readonly cronScheduler: CronScheduler
  /** Handles the messages that apps send with their queue bindings. */
  readonly rpcHandlers: RpcHandlers
  readonly #clock: WorldClock

  constructor({ store, clock, log, apps }: BackgroundDeps) {
    const now = clock.now
    this.#clock = clock
    this.deliveries = new QueueDeliveries({
      store,
      now,
      log,
      deliver: (batch) => deliverBatch({ store, apps: apps() }, batch),
    })
    this.cronScheduler = new CronScheduler({
      store,
      now,
      log,
      fire: (script, tick) => fireTick({ store, apps: apps() }, script, tick),
    })
    this.rpcHandlers = {
      queues: (call) => handleProducer({ store, now, check: this.deliveries.check }, call),
    }
    clock.onAdvance(() => {
      this.deliveries.checkAll()
      this.cronScheduler.fireDueTicks()
    })
  }

  start(): void {
    this.deliveries.start()
    this.cronScheduler.start()
  }

  /** Returns whether a group has work due within `ms` and so should not be stopped. */
  hasWorkDueWithin(groupId: string, ms: number): boolean {
    const soon = this.#clock.now() + ms
    return [this.deliveries.nextAt(groupId), this.cronScheduler.nextAt(groupId)].some(
      (at) => at !== null && at <= soon,
    )
  }

  close(): void {
    this.deliveries.close()
    this.cronScheduler.close()
  }
}
