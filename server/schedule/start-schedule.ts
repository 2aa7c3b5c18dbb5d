import { sql } from 'kysely'
import { transact, type Trx } from '../db/database.ts'
import type { PlatformPorts } from '../platform.ts'
import type { TaskTable } from './schedule-job.ts'
import type { Period } from '../scheduled-task.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

const TICK_MS = 5000
/** A stored time may be in the future only by the difference between the clocks of two machines. */
const CLOCKS_DIFFER_MS_MAX = 60_000

/** Sends due tasks until it is stopped. Several processes may do so at once. */
export function startSchedule(
  platform: PlatformPorts<'jobs'>,
  table: TaskTable<never>,
): { stop(): Promise<void> } {
  const schedule = new Schedule(table)
  let sending: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    sending = schedule
      .sendDue(platform)
      .catch((err: unknown) => platform.log.error({ err }, 'scheduled tasks could not be sent'))
  }, TICK_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await sending
    },
  }
}

/**
 * Sends a job for each due task. Each process that runs jobs has its own `Schedule`. The table `scheduled_tasks` decides which process
 * sends a task.
 */
export class Schedule {
  readonly #table: TaskTable<never>
  /** The times for which some process has already sent the task, so that a tick without a due task needs no query. */
  readonly #storedSlots = new Map<string, number>()

  constructor(table: TaskTable<never>) {
    this.#table = table
  }

  /**
   * Sends a job for every due task that no process has sent yet, and returns the names of these tasks. The
   * time and the job are stored in one transaction, so that a task is neither lost nor sent twice.
   */
  async sendDue(platform: PlatformPorts<'jobs'>): Promise<string[]> {
    const now = platform.clock.now()
    const { tasks, day, night } = this.#table
    const due = tasks
      .map((task) => ({ ...task, slot: periodStart(task.every, now) }))
      .filter((task) => this.#storedSlots.get(task.name) !== task.slot.getTime())
    if (due.length === 0) return []
    const sent = await transact(platform.db, async (trx) => {
      const names = new Set(await claimSlots(trx, due, now))
      const mine = due.filter((task) => names.has(task.name))
      for (const task of mine)
        await platform.jobs.send(trx, task.every === 'night' ? night : day, { task: task.name })
      return mine
    })
    for (const task of due) this.#storedSlots.set(task.name, task.slot.getTime())
    return sent.map((task) => task.name)
  }
}

/** Stores the new times of the tasks. Returns the tasks whose time no other process has stored. */
async function claimSlots(trx: Trx, due: { name: string; slot: Date }[], now: Date): Promise<string[]> {
  // Every process uses the same order, because otherwise simultaneous ticks would deadlock.
  const inOrder = due.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const wrong = new Date(now.getTime() + CLOCKS_DIFFER_MS_MAX)
  const { rows } = await sql<{ name: string }>`
    insert into scheduled_tasks (name, slot_at, created_at)
    select name, slot, ${now} from unnest(
      ${inOrder.map((task) => task.name)}::text[], ${inOrder.map((task) => task.slot)}::timestamptz[]
    ) as due (name, slot)
    on conflict (name) do update set slot_at = excluded.slot_at
      where scheduled_tasks.slot_at < excluded.slot_at or scheduled_tasks.slot_at > ${wrong}
    returning name`.execute(trx)
  return rows.map((row) => row.name)
}

const MINUTE_MS = 60_000

/** Length and start offset of each period in milliseconds. The night begins at 03:00 UTC. */
const PERIOD_TIMES: Record<Period, { lengthMs: number; offsetMs: number }> = {
  minute: { lengthMs: MINUTE_MS, offsetMs: 0 },
  '10 minutes': { lengthMs: 10 * MINUTE_MS, offsetMs: 0 },
  hour: { lengthMs: HOUR_MS, offsetMs: 0 },
  night: { lengthMs: 24 * HOUR_MS, offsetMs: 3 * HOUR_MS },
}

/** Returns the start of the current period. It is the same in every process, so that each task is sent once per period. */
export function periodStart(every: Period, now: Date): Date {
  const { lengthMs, offsetMs } = PERIOD_TIMES[every]
  return new Date(Math.floor((now.getTime() - offsetMs) / lengthMs) * lengthMs + offsetMs)
}
