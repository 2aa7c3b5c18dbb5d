import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import type { Database } from '../db/database.ts'
import { endpoint, group } from '../endpoint.ts'
import { keyRoutes } from '../keys/keys.routes.ts'
import { testDatabase } from '../testing/database.ts'
import { type MinimalApp, openMinimalApp } from '../testing/apps/minimal-app.ts'

const RECHECK_MS = 30_000

/** Called when the signal of `quietStream` is aborted. That stream sends one frame and then waits for the abort. */
let onLeft: () => void = () => {}
async function* quietStream(signal: AbortSignal) {
  yield { data: '{"type":"hello"}' }
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  onLeft()
}

const routes = group('Streams', {
  watch: endpoint({
    route: 'GET /watch',
    scope: 'projects:read',
    kind: 'sse',
    summary: 'Says hello and stays open',
    returns: z.object({ type: z.string() }),
    handle: ({ ctx }) => quietStream(ctx.signal),
  }),
})

describe('an open stream', () => {
  let database: Database & { drop(): Promise<void> }
  let app: MinimalApp
  let people = 0
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [...routes, ...keyRoutes])
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  /** Opens a stream with a mocked timer, so that the test decides when the access to the stream is checked again. */
  const openStream = async (t: TestContext) => {
    const owner = await app.signUp(`Owner ${++people}`)
    const made = await app.send('POST', '/api/v1/keys', owner, { name: 'k' })
    const { data } = (await made.json()) as { data: { id: string; key: string } }
    t.mock.timers.enable({ apis: ['setInterval'] })
    const answer = await app.send('GET', '/api/v1/watch', { key: data.key })
    assert.equal(answer.status, 200)
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    const readChunk = async () => {
      const { done, value } = await reader.read()
      return done ? null : new TextDecoder().decode(value)
    }
    assert.equal(await readChunk(), 'data: {"type":"hello"}\n\n')
    const organization = await database.db
      .selectFrom('api_keys')
      .select('org_id')
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow()
    return { read: readChunk, reader, keyId: data.id, organizationId: organization.org_id }
  }
  const readHeartbeats = async (read: () => Promise<string | null>, count: number) => {
    for (let i = 0; i < count; i++) assert.equal(await read(), ':\n\n')
  }

  test('revoking an API key ends its open event stream within half a minute with one error event, and aborts the event generator', async (t) => {
    const { read, keyId } = await openStream(t)
    const ended = new Promise<void>((resolve) => (onLeft = resolve))
    t.mock.timers.tick(RECHECK_MS)
    await readHeartbeats(read, 2)
    await database.db.deleteFrom('api_keys').where('id', '=', keyId).execute()
    t.mock.timers.tick(RECHECK_MS)
    await readHeartbeats(read, 2)
    const last = JSON.parse((await read())?.replace('data: ', '') ?? '') as Record<string, unknown>
    assert.deepEqual([last['type'], last['kind'], last['retryable']], ['error', 'unauthorized', false])
    assert.equal(await read(), null)
    await ended
  })

  test("an open event stream ends when the client's address is removed from the IP allowlist of the organization", async (t) => {
    const { read, organizationId } = await openStream(t)
    const at = app.clock.now()
    await database.db
      .insertInto('security_policies')
      .values({
        org_id: organizationId,
        require_sso: false,
        require_two_factor: false,
        session_lifetime_days: null,
        allowed_ips: ['10.0.0.0/8'],
        updated_at: at,
        created_at: at,
      })
      .execute()
    t.mock.timers.tick(RECHECK_MS)
    await readHeartbeats(read, 2)
    assert.match((await read()) ?? '', /"kind":"ip_not_allowed"/)
    assert.equal(await read(), null)
  })

  test('an open event stream continues while its caller has access, and while the database is down and access is unknown', async (t) => {
    const { read, reader } = await openStream(t)
    t.mock.timers.tick(10 * RECHECK_MS)
    await readHeartbeats(read, 20)
    const away = t.mock.method(database.pool, 'query', () =>
      Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' })),
    )
    t.mock.timers.tick(RECHECK_MS)
    await readHeartbeats(read, 2)
    while (away.mock.callCount() === 0) await setImmediate()
    away.mock.restore()
    t.mock.timers.tick(RECHECK_MS)
    await readHeartbeats(read, 2)
    await reader.cancel()
  })
})
