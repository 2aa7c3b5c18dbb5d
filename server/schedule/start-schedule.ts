import { sql } from 'kysely'
import { transact, type Trx } from '../db/database.ts'
import type { Platform } from '../platform.ts'
import type { TaskTable } from './schedule-job.ts'
import { slotOf } from './slot.ts'

const TICK_MS = 5000
/** No slot lies in the future, except by what the clocks of two machines differ. */
const CLOCKS_DIFFER_MS_MAX = 60_000

/** Sends what is due for as long as the process lives; several processes may do so at once. */
export function startSchedule(platform: Platform, table: TaskTable): { stop(): Promise<void> } {
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

/** What this process knows about the times of the tasks; the truth is in `scheduled_tasks`. */
export class Schedule {
  readonly #table: TaskTable
  /** Slots that are dealt with, here or elsewhere, so that a tick between two slots asks nothing. */
  readonly #settled = new Map<string, number>()

  constructor(table: TaskTable) {
    this.#table = table
  }

  /**
   * Sends a job for every task whose time has come and that no process has sent yet; answers their names. Slot and
   * job are one transaction, so a task is neither forgotten nor sent twice.
   */
  async sendDue(platform: Platform): Promise<string[]> {
    const now = platform.clock.now()
    const { tasks, day, night } = this.#table
    const due = tasks
      .map((task) => ({ ...task, slot: slotOf(task.every, now) }))
      .filter((task) => this.#settled.get(task.name) !== task.slot.getTime())
    if (due.length === 0) return []
    const sent = await transact(platform.db, async (trx) => {
      const names = new Set(await claim(trx, due, now))
      const mine = due.filter((task) => names.has(task.name))
      for (const task of mine)
        await platform.jobs.send(trx, task.every === 'night' ? night : day, { task: task.name })
      return mine
    })
    for (const task of due) this.#settled.set(task.name, task.slot.getTime())
    return sent.map((task) => task.name)
  }
}

/** Moves the tasks on to their slots; answers those that nobody had moved yet. */
async function claim(trx: Trx, due: { name: string; slot: Date }[], now: Date): Promise<string[]> {
  // One order for everybody: processes that tick together would otherwise wait for each other in a circle.
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
