import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Pool } from 'pg'
import type { Logger } from 'pino'
import { connectionOptions } from '../db/database.ts'
import { LOCK_CLASS } from '../db/locks.ts'
import { VERSION } from '../version.ts'

export type ProcessRole = 'all' | 'web' | 'worker'

/** The numbers of live processes, including this process. */
export interface LiveProcesses {
  web: number
  working: number
}

export interface Presence {
  /**
   * The id of the row of this process in `processes`. A new row with a new id is inserted when the database connection
   * was lost.
   */
  readonly processId: number
  leave(): Promise<void>
}

interface PresenceOptions {
  url: string
  role: ProcessRole
  log: Logger
  /**
   * Called when this process is the only live one that runs jobs, and before another process can register. Work that is
   * marked as running then belongs to a process that has died.
   */
  onAlone: () => Promise<void>
  /** Called with the numbers of live processes before `startPresence` resolves, and whenever the numbers may have changed. */
  onLiving: (living: LiveProcesses) => void
}

const SEEN_EVERY_MS = 5000
const RETRY_MS = 1000
/**
 * Postgres may notice the loss of a machine only hours later and keeps the lock of the lost process until then. A
 * missing heartbeat shows the loss sooner.
 */
const STALE_SECONDS = 30
const PRESENCE_CHANNEL = 'processes'

/**
 * Inserts a row for this process and holds an advisory lock on the id of the row while the process is alive. A row whose
 * lock is free, or without a heartbeat for half a minute, belongs to a dead process.
 */
export async function startPresence(options: PresenceOptions): Promise<Presence> {
  const leaving = new AbortController()
  const { signal } = leaving
  let current = await registerProcess(options)

  const keepPresence = async () => {
    while (!signal.aborted) {
      try {
        const news = current.nextNews()
        options.onLiving(await beatAndCountLiving(current))
        await Promise.race([news, sleep(SEEN_EVERY_MS, undefined, { signal, ref: false })])
      } catch {
        if (signal.aborted) return
        current = await registerAgain(current, options).catch(async () => {
          await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
          return current
        })
      }
    }
  }
  const staying = keepPresence()

  return {
    get processId() {
      return current.processId
    },
    async leave() {
      leaving.abort()
      await staying
      await current.client
        .query(
          `with gone as (delete from processes where id = $1 returning id)
           select pg_notify('${PRESENCE_CHANNEL}', '') from gone`,
          [current.processId],
        )
        .catch(() => {})
      await current.client.end().catch(() => {})
    },
  }
}

interface RegisteredProcess {
  client: Client
  processId: number
  /** Resolves when a process joined or left, or when the connection is lost. */
  nextNews(): Promise<void>
}

async function registerProcess({
  url,
  role,
  log,
  onAlone,
  onLiving,
}: PresenceOptions): Promise<RegisteredProcess> {
  const client = new Client({ ...connectionOptions(url), application_name: 'slipway process' })
  let news = Promise.withResolvers<void>()
  client.on('notification', () => news.resolve())
  client.on('end', () => news.resolve())
  client.on('error', (error) => log.warn({ err: error }, 'process lock connection lost'))
  await client.connect()
  try {
    // The lock with the number 0 lets only one process at a time register, count the live processes and take over the
    // jobs of dead ones.
    await client.query(`select pg_advisory_lock(${LOCK_CLASS.process}, 0)`)
    await client.query(`listen ${PRESENCE_CHANNEL}`)
    // One statement, because a visible row without its lock would count as a dead process.
    const { rows } = await client.query<{ id: number }>(
      `with me as (
         insert into processes (role, host, seen_at, version, created_at)
         values ($1, $2, now(), $3, now()) returning id)
       select id, pg_advisory_lock(${LOCK_CLASS.process}, id), pg_notify('${PRESENCE_CHANNEL}', '') from me`,
      [role, hostname(), VERSION],
    )
    const joined: RegisteredProcess = {
      client,
      processId: rows[0]?.id ?? 0,
      nextNews: () => (news = Promise.withResolvers()).promise,
    }
    const living = await beatAndCountLiving(joined)
    if (role !== 'web' && living.working === 1) await onAlone()
    onLiving(living)
    await client.query(`select pg_advisory_unlock(${LOCK_CLASS.process}, 0)`)
    return joined
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

// A lost connection releases the lock, and other processes may then have deleted the row, so the process registers again
// with a new row. It takes over no jobs, because its own jobs may still be running.
async function registerAgain(lost: RegisteredProcess, options: PresenceOptions): Promise<RegisteredProcess> {
  const joined = await registerProcess({ ...options, onAlone: async () => {} })
  await lost.client.end().catch(() => {})
  return joined
}

/**
 * Writes the heartbeat of this process, deletes the rows of dead processes and counts the live ones. Throws when another
 * process has deleted the row of this process.
 */
async function beatAndCountLiving({ client, processId }: RegisteredProcess): Promise<LiveProcesses> {
  const { rowCount } = await client.query('update processes set seen_at = now() where id = $1', [processId])
  if (rowCount === 0) throw new Error('this process was taken for dead')
  const { rows } = await client.query<{ id: number; role: ProcessRole; free: boolean; silent: boolean }>(
    `select id, role, seen_at < now() - interval '${STALE_SECONDS} seconds' as silent,
       id <> $1 and pg_try_advisory_lock(${LOCK_CLASS.process}, id) as free
     from processes`,
    [processId],
  )
  const dead = rows.filter((row) => row.free || row.silent).map((row) => row.id)
  if (dead.length > 0) {
    await client.query(
      `with gone as (delete from processes where id = any($1) returning id)
       select pg_notify('${PRESENCE_CHANNEL}', '') from gone`,
      [dead],
    )
    const free = rows.filter((row) => row.free).map((row) => row.id)
    await client.query(`select pg_advisory_unlock(${LOCK_CLASS.process}, id) from unnest($1::int[]) id`, [
      free,
    ])
  }
  const living = rows.filter((row) => !dead.includes(row.id))
  return {
    web: living.filter((row) => row.role !== 'worker').length,
    working: living.filter((row) => row.role !== 'web').length,
  }
}

/**
 * Takes the lock that a process needs to register, so that no process can register while the connection of `client` is
 * open. Returns the processes that are alive.
 */
export async function blockNewProcesses(client: Client): Promise<{ role: ProcessRole; host: string }[]> {
  await client.query(`select pg_advisory_lock(${LOCK_CLASS.process}, 0)`)
  const { rows } = await client.query<{ role: ProcessRole; host: string; dead: boolean }>(
    `select role, host, pg_try_advisory_lock(${LOCK_CLASS.process}, id) as dead from processes order by id`,
  )
  return rows.filter((row) => !row.dead)
}

/** Counts the live processes of each role: those with a fresh heartbeat. */
export async function countLiveProcesses(pool: Pool): Promise<Record<ProcessRole, number>> {
  const { rows } = await pool.query<Record<ProcessRole, number>>(
    `select count(*) filter (where role = 'all')::int as "all", count(*) filter (where role = 'web')::int as web,
       count(*) filter (where role = 'worker')::int as worker
     from processes where seen_at >= now() - interval '${STALE_SECONDS} seconds'`,
  )
  return rows[0] ?? { all: 0, web: 0, worker: 0 }
}

/** Returns an SQL condition: the process with this id has ended. The other processes delete the row of a dead process. */
export const processHasEnded = (id: string): string =>
  `not exists (select from processes p where p.id = ${id})`
