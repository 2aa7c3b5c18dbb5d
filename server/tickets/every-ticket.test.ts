import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import { type Client, testApp, type TestApp } from '../testing/app.ts'

/** Enough tickets for several batches, and more data than socket buffers hold. */
const TICKETS = 1203
const BODY_LENGTH = 20_000

describe('the ticket list without a limit', () => {
  let app: TestApp
  let owner: Client
  let path: string
  before(async () => {
    app = await testApp()
    owner = await app.signUp()
    const projectId = (await owner.call<{ id: string }>('POST /projects', {})).data.id
    path = `/projects/${projectId}/tickets`
    await app.platform.pool.query(
      `insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source,
         created_at, updated_at)
       select 'tkt_' || lpad(n::text, 26, '0'), $1, $2, 'Ticket ' || n, repeat('x', $3), 'todo', 'task', 'none',
         '{}', 'human', $4::timestamptz, $4::timestamptz
       from generate_series(1, $5) n`,
      [owner.organizationId, projectId, BODY_LENGTH, app.clock.now(), TICKETS],
    )
  })
  after(() => app.close())

  const borrowedConnections = () => app.platform.streamPool.totalCount - app.platform.streamPool.idleCount

  test('the ticket list without a limit returns every ticket once, newest first, in one JSON response', async () => {
    const answer = await owner.call<{ id: string }[]>(`GET ${path}`)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    assert.ok(answer.requestId)
    const expected = Array.from({ length: TICKETS }, (_, i) => `tkt_${String(TICKETS - i).padStart(26, '0')}`)
    assert.deepEqual(
      answer.data.map(({ id }) => id),
      expected,
    )
    const limited = await owner.call<{ id: string }[]>(`GET ${path}?limit=500`)
    assert.deepEqual(answer.data.slice(0, 500), limited.data)
  })

  test('the ticket list without a limit is streamed, and a client that disconnects releases its database connection', async () => {
    const answer = await owner.raw(`GET ${path}`)
    const reader = answer.body?.getReader()
    const first = await reader?.read()
    assert.match(new TextDecoder().decode(first?.value).slice(0, 40), /^{"ok":true,"data":\[{"id"/)
    assert.equal(borrowedConnections(), 1)
    await reader?.cancel()
    assert.equal(borrowedConnections(), 0)
  })

  test('a HEAD request for the ticket list has no body and holds no database connection', async () => {
    const answer = await owner.raw(`HEAD ${path}`)
    assert.equal(answer.status, 200)
    assert.equal(await answer.text(), '')
    assert.equal(borrowedConnections(), 0)
  })

  describe('over an HTTP connection', () => {
    let server: Server
    let url: string
    let key: string
    before(async () => {
      key = (await app.keyFor(owner)).key
      server = createServer(getRequestListener(app.app.fetch))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1${path}`
    })
    after(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const fetchExport = () => fetch(url, { headers: { authorization: `Bearer ${key}` } })

    test('a ticket list whose query fails midway closes the connection, so that the reader gets an error', async (t) => {
      // Silences the HTTP adapter, which prints an error when a response cannot be sent.
      t.mock.method(console, 'error', () => {})
      const answer = await fetchExport()
      const [backend] = (
        await app.platform.pool.query<{ pid: number }>(
          `select pid from pg_stat_activity
           where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
        )
      ).rows
      assert.ok(backend, 'nothing is being read')
      await app.platform.pool.query('select pg_terminate_backend($1)', [backend.pid])
      await assert.rejects(answer.text())
    })

    test('without a free database connection a request for all tickets is refused with 503 and gets no truncated list', async () => {
      const { streamPool } = app.platform
      const taken = await Promise.all(Array.from({ length: 4 }, () => streamPool.connect()))
      const answer = await fetchExport()
      for (const client of taken) client.release()
      assert.equal(answer.status, 503)
      assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'unavailable')
    })
  })
})
