import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { connectionOptions } from '../db/database.ts'
import { LOCK_CLASS } from '../db/locks.ts'

/** This process among those that work on the same database. */
export interface Presence {
  /** Its number in `processes`. */
  processId: number
  leave(): Promise<void>
}

const SEEN_EVERY_MS = 5000
const RETRY_MS = 1000

/**
 * Takes a number among the working processes and holds its advisory lock for as long as this process lives; a
 * number whose lock is free belongs to a dead process. `onAlone` runs before anybody else can join when no other
 * living process is there: whatever is still marked as being worked on then has no worker.
 */
export async function joinProcesses(options: {
  url: string
  role: string
  version: string
  log: Logger
  onAlone: () => Promise<void>
}): Promise<Presence> {
  const leaving = new AbortController()
  let current = await join(options)

  // The lock goes with its connection; a new one means a new number, as others may have buried the old one.
  const stay = async () => {
    while (!leaving.signal.aborted) {
      await Promise.race([
        current.lost,
        sleep(SEEN_EVERY_MS, undefined, { signal: leaving.signal, ref: false }),
      ]).catch(() => {})
      if (leaving.signal.aborted) return
      try {
        await current.client.query('update processes set seen_at = now() where id = $1', [current.processId])
      } catch {
        const joined = await join({ ...options, onAlone: async () => {} }).catch(() => null)
        if (joined === null)
          await sleep(RETRY_MS, undefined, { signal: leaving.signal, ref: false }).catch(() => {})
        else current = joined
      }
    }
  }
  const staying = stay()

  return {
    get processId() {
      return current.processId
    },
    async leave() {
      leaving.abort()
      await staying
      await current.client.query('delete from processes where id = $1', [current.processId]).catch(() => {})
      await current.client.end().catch(() => {})
    },
  }
}

interface Joined {
  client: Client
  processId: number
  lost: Promise<void>
}

async function join(options: {
  url: string
  role: string
  version: string
  log: Logger
  onAlone: () => Promise<void>
}): Promise<Joined> {
  const client = new Client({ ...connectionOptions(options.url), application_name: 'slipway process' })
  const lost = new Promise<void>((resolve) => client.on('end', resolve))
  client.on('error', (error) => options.log.warn({ err: error }, 'process lock connection lost'))
  await client.connect()
  try {
    // Number 0 is the door: one process at a time registers, counts the living and takes over from the dead.
    await client.query(`select pg_advisory_lock(${LOCK_CLASS.process}, 0)`)
    const { rows } = await client.query<{ id: number }>(
      `insert into processes (role, host, seen_at, version, created_at)
       values ($1, $2, now(), $3, now()) returning id`,
      [options.role, hostname(), options.version],
    )
    const processId = rows[0]?.id ?? 0
    await client.query(`select pg_advisory_lock(${LOCK_CLASS.process}, $1)`, [processId])
    const living = await buryDead(client, processId)
    if (living === 0) await options.onAlone()
    await client.query(`select pg_advisory_unlock(${LOCK_CLASS.process}, 0)`)
    return { client, processId, lost }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** Removes the rows of dead processes; answers how many others live. */
async function buryDead(client: Client, self: number): Promise<number> {
  const { rows } = await client.query<{ id: number; dead: boolean }>(
    `select id, pg_try_advisory_lock(${LOCK_CLASS.process}, id) as dead from processes where id <> $1`,
    [self],
  )
  const dead = rows.filter((row) => row.dead).map((row) => row.id)
  await client.query('delete from processes where id = any($1)', [dead])
  await client.query(`select pg_advisory_unlock(${LOCK_CLASS.process}, id) from unnest($1::int[]) id`, [dead])
  return rows.length - dead.length
}
