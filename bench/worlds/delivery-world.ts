import { join } from 'node:path'
import { Pool } from 'pg'
import { loadKeyring } from '../../server/crypto/keyring.ts'
import { newSigningSecret } from '../../server/crypto/signature.ts'
import { preparedQuery } from '../../server/db/database.ts'
import { type EventParams, FIRE_EVENT_SQL } from '../../server/events/emit.ts'
import { EVENT_DATA } from '../../server/events/event-types.ts'
import { freePorts } from '../../server/testing/ports.ts'
import { startChild } from '../harness/child.ts'
import { makeFolder } from '../harness/folders.ts'
import { runStatements } from '../harness/postgres.ts'
import { startService } from '../harness/service.ts'

/** An event of typical size, as it is sent to webhooks. */
export const EVENT_BODY = JSON.stringify({
  id: `evt_${'0'.repeat(26)}`,
  type: 'ticket.created',
  projectId: `prj_${'0'.repeat(26)}`,
  createdAt: 1_780_000_000_000,
  data: { ticketId: `tkt_${'0'.repeat(26)}`, title: 'Show the balance', type: 'task', source: 'human' },
})

const EVENT_TYPES = Object.keys(EVENT_DATA)
const ORGANIZATION_COUNT = 100

export interface Receiver {
  url: string
  pid: number
  reset(): Promise<void>
  until(count: number): Promise<void>
  arrivals(): Promise<[id: string, atMs: number][]>
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const [port = 0] = await freePorts(1)
  const child = await startChild({
    program: 'bench/ceilings/delivery-receiver.ts',
    port,
    path: '/health',
    env: { PORT: String(port) },
    logFile: join(makeFolder(), 'receiver.log'),
  })
  return {
    url: child.url,
    pid: child.pid,
    reset: async () => void (await fetch(child.url, { method: 'DELETE' })),
    until: async (count) => void (await fetch(`${child.url}/until/${count}`)),
    arrivals: async () => (await (await fetch(`${child.url}/arrivals`)).json()) as [string, number][],
    stop: () => child.stop(),
  }
}

export interface DeliverySide {
  pid: number
  /** Commits `count` events with the SQL of the product, over `connections` connections at once. */
  fire(count: number, connections: number): Promise<void>
  /** Commits one event. Returns its id and the time at which the commit was acknowledged, in milliseconds since the epoch. */
  fireOne(): Promise<{ id: string; atMs: number }>
  stop(): Promise<void>
}

const fireStatement = preparedQuery<unknown, Record<keyof EventParams, string | Date>>('fire', FIRE_EVENT_SQL)

/**
 * Starts the product with a webhook endpoint for each address. Each endpoint has another pair of organization and event type, so each event
 * is sent to one endpoint only. With `together`, all endpoints have the same pair, so each event is sent to all of them.
 */
export async function startDeliverySide(
  databaseUrl: string,
  addresses: string[],
  { together = false } = {},
): Promise<DeliverySide> {
  const placeOf = (n: number) => placeAt(together ? 0 : n % addresses.length)
  const dataDir = makeFolder()
  const keyring = loadKeyring({ secrets: null, file: join(dataDir, 'secrets.json') })
  const secret = newSigningSecret()
  const rows = addresses.map((address, n) => {
    const [id, org] = [`whe_${String(n).padStart(26, '0')}`, placeOf(n).org]
    const sealed = keyring.seal(secret, {
      table: 'webhook_endpoints',
      id,
      column: 'secret',
      organizationId: org,
    })
    return `('${id}', '${org}', '${address}', '{${placeOf(n).type}}', '${sealed}', now())`
  })
  await runStatements(databaseUrl, [
    `insert into webhook_endpoints (id, org_id, url, events, secret, created_at) values ${rows.join(', ')}`,
    'analyze webhook_endpoints',
  ])
  const service = await startService({ localWorld: false, databaseUrl, dataDir })
  const pool = new Pool({ connectionString: databaseUrl, max: 16 })
  let fired = 0
  const fireOne = async () => {
    const n = fired++
    const { org, type } = placeOf(n)
    const id = `evt_${String(n).padStart(26, '0')}`
    await fireStatement(pool, {
      eventId: id,
      eventOrgId: org,
      eventProjectId: `prj_${'0'.repeat(26)}`,
      eventType: type,
      eventBody: EVENT_BODY,
      eventAt: new Date(),
    })
    return { id, atMs: performance.timeOrigin + performance.now() }
  }
  return {
    pid: service.pid,
    fireOne,
    async fire(count, connections) {
      const turns = Array.from({ length: count }).values()
      const work = async () => {
        for (const _ of turns) await fireOne()
      }
      await Promise.all(Array.from({ length: connections }, work))
    },
    async stop() {
      await pool.end()
      await service.remove()
    },
  }
}

/** Returns the nth pair of an organization and an event type. No two pairs are the same. */
function placeAt(n: number): { org: string; type: string } {
  return {
    org: `org_${(n % ORGANIZATION_COUNT) + 1}`,
    type: EVENT_TYPES[Math.floor(n / ORGANIZATION_COUNT)] ?? '',
  }
}
