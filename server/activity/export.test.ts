import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { type Client, testApp, type TestApp } from '../testing/app.ts'

const ROWS = 20_000

/** Uses a real socket, because only there can a reader be slow or disconnect. */
describe('an export of many records', () => {
  let app: TestApp
  let server: Server
  let person: Client
  let key: string
  before(async () => {
    app = await testApp()
    server = serve({ fetch: app.app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
    await once(server, 'listening')
  })
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await app.close()
  })
  // More data than the socket buffers hold, so that an unread export cannot have finished.
  beforeEach(async () => {
    person = await app.signUp()
    ;({ key } = await app.keyFor(person))
    await app.platform.pool.query(
      `insert into activity (id, org_id, at, provider, actor, action, target, status, detail, created_at)
       select $1 || lpad(n::text, 20, '0'), $1, $2, 'cloudflare', 'Ann', 'worker.created', n, 'ok', repeat('x', 1000), $2
       from generate_series(1, $3) n`,
      [person.organizationId, app.clock.now(), ROWS],
    )
    app.effects.prepared({ activity: { 'worker.created': ROWS } })
  })

  async function openExport(): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo
    const call = request({
      port,
      path: '/api/v1/activity/export',
      headers: { authorization: `Bearer ${key}` },
    })
    call.end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    assert.equal(answer.statusCode, 200)
    return answer
  }

  async function countOpenExports(): Promise<number> {
    const { rows } = await app.platform.pool.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity
       where datname = current_database() and query like '%project_name, detail%' and xact_start is not null
         and pid <> pg_backend_pid()`,
    )
    return rows[0]?.n ?? 0
  }

  /** Waits until `count` exports have an open query; fails after a hundred tries. */
  async function untilReading(count: number): Promise<void> {
    for (let looks = 0; (await countOpenExports()) !== count; looks++) {
      assert.ok(looks < 100, `never ${count} at a time`)
      await sleep(10)
    }
  }

  test('a reader who pauses the activity export pauses the database query, and still gets every record', async () => {
    const answer = await openExport()
    const textOf = async (from: IncomingMessage) => {
      let text = ''
      for await (const chunk of from.setEncoding('utf8')) text += chunk as string
      return text
    }
    // This export is not paused, so it ends. The only open query is then that of the paused export.
    await textOf(await openExport())
    await untilReading(1)
    const text = await textOf(answer)
    // The other three lines are the header, the record of the new key and the empty line after the last line break.
    assert.equal(text.split('\n').length, ROWS + 3)
    assert.equal(await countOpenExports(), 0)
  })

  test('a reader of the activity export who disconnects ends the query within a second', async () => {
    const answer = await openExport()
    await untilReading(1)
    answer.destroy()
    await untilReading(0)
    assert.equal(app.platform.streamPool.idleCount, app.platform.streamPool.totalCount)
  })

  test('the response to an activity export that fails midway ends with a connection error', async () => {
    const answer = await openExport()
    await untilReading(1)
    await app.platform.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like '%project_name, detail%' and pid <> pg_backend_pid()`,
    )
    await assert.rejects(async () => {
      for await (const _chunk of answer);
    })
  })
})
