import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { liftRouteLimits } from '../testing/route-limits.ts'
import { leaves } from '../testing/effects.ts'

/** The kinds of lines that the API documents, copied here so that the test fails when the export lacks a kind. */
const KINDS = [
  'export',
  'organization',
  'member',
  'invitation',
  'connection',
  'api_key',
  'webhook',
  'ingest_source',
  'project',
  'ticket',
  'help_thread',
  'help_message',
  'activity',
  'end',
]

type Line = Record<string, unknown> & { kind: string }
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
const countsOf = (lines: Line[]) => lines.at(-1)?.['counts'] as Record<string, number> | undefined

describe('the export of an organization', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ limits: { keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 } })
    liftRouteLimits(app)
  })
  after(() => app.close())

  const readExport = async (person: Client): Promise<{ text: string; lines: Line[] }> => {
    const answer = await person.raw('GET /account/export')
    assert.equal(answer.status, 200)
    const text = await answer.text()
    return { text, lines: linesOf(text) }
  }
  const inviteMember = (person: Client, email: string) =>
    person.raw('POST /api/auth/organization/invite-member', {
      body: JSON.stringify({ email, role: 'member', organizationId: person.organizationId }),
      headers: { 'content-type': 'application/json' },
    })
  /** Creates one row of every kind. Returns every secret that a response showed; none of them may be in the export. */
  async function fillOrganization(person: Client, word: string): Promise<string[]> {
    const { data: project } = await person.call<{ id: string }>('POST /projects', { name: `${word} project` })
    await person.call(`POST /projects/${project.id}/tickets`, {
      title: `${word} "ticket"\\`,
      body: `${word}\n{"kind":"end"}\n\u2028 end`,
      labels: ['a "b"', 'c'],
    })
    const key = await person.call<{ key: string }>('POST /keys', { name: `${word} key` })
    const webhook = await person.call<{ secret: string }>('POST /webhooks', {
      url: 'https://example.com/hook',
      events: ['*'],
    })
    const source = await person.call<{ secret: string }>('POST /ingest', { projectId: project.id })
    const model = await person.call('POST /connections/models', {
      provider: 'openai-compatible',
      label: `${word} model`,
      baseUrl: 'http://model-user:model-password@model.example.test/v1',
      key: `model-secret-${word}`,
      defaultModel: 'm',
    })
    assert.equal(model.status, 200)
    await app.platform.pool.query(
      `insert into connections (id, org_id, provider, profile, account_id, token, refresh_token, scopes, status, method, created_at)
       values ($1, $2, 'cloudflare', 'local', 'acc', $3, $4, '{a}', 'connected', 'token', $5)
       on conflict do nothing`,
      [
        `con_${word}`,
        person.organizationId,
        `sealed-token-${word}`,
        `sealed-refresh-${word}`,
        app.clock.now(),
      ],
    )
    assert.equal((await inviteMember(person, `${word}.guest@example.test`)).status, 200)
    return [
      key.data.key,
      createHash('sha256').update(key.data.key).digest('hex'),
      createHash('sha256').update(key.data.key).digest('base64'),
      webhook.data.secret,
      source.data.secret,
      `model-secret-${word}`,
      'model-password',
      `sealed-token-${word}`,
      `sealed-refresh-${word}`,
    ]
  }

  test('the account export has one JSON object per line, in the documented order, and the counts in the last line', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 1 },
      activity: {
        'account.exported': 1,
        'api_key.created': 1,
        'ingest_source.created': 1,
        'model.created': 1,
        'webhook.created': 1,
      },
    })
    const person = await app.signUp('Olga Owner')
    await fillOrganization(person, 'olga')
    const answer = await person.raw('GET /account/export')
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="account-2026-06-01\.ndjson"$/,
    )
    const lines = linesOf(await answer.text())
    const seen = [...new Set(lines.map(({ kind }) => kind))]
    assert.deepEqual(
      seen,
      KINDS.filter((kind) => !kind.startsWith('help_')),
    )
    assert.deepEqual(
      lines.map(({ kind }) => KINDS.indexOf(kind)),
      lines.map(({ kind }) => KINDS.indexOf(kind)).toSorted((a, b) => a - b),
    )
    const counted = Object.fromEntries(
      KINDS.slice(1, -1).map((kind) => [kind, lines.filter((line) => line.kind === kind).length]),
    )
    assert.deepEqual(countsOf(lines), counted)
    assert.deepEqual(Object.keys(countsOf(lines) ?? {}), KINDS.slice(1, -1))
    for (const kind of [
      'organization',
      'member',
      'invitation',
      'api_key',
      'webhook',
      'ingest_source',
      'project',
      'ticket',
    ])
      assert.equal(counted[kind], 1, kind)
    // The cloud account, the model connected above, and the scaffold model that the test app has from the start.
    assert.equal(counted['connection'], 3)
    assert.deepEqual(lines[0], {
      kind: 'export',
      format: 'slipway-account-export/1',
      exportedAt: app.clock.now().toISOString(),
      requestedBy: {
        id: lines[0] && (lines[0]['requestedBy'] as { id: string }).id,
        name: 'Olga Owner',
        email: person.email,
      },
      organization: { id: person.organizationId, name: "Olga Owner's organization" },
    })
  })

  test('the account export contains text unchanged, with its quotes and line breaks', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 1 },
      activity: {
        'account.exported': 1,
        'api_key.created': 1,
        'ingest_source.created': 1,
        'model.created': 1,
        'webhook.created': 1,
      },
    })
    const name = 'Odd"},{"kind":"member","'
    const person = await app.signUp()
    await app.platform.pool.query('update "user" set name = $2 where email = $1', [person.email, name])
    await fillOrganization(person, 'odd')
    const { lines } = await readExport(person)
    assert.deepEqual(
      lines.filter(({ kind }) => kind === 'member').map((line) => line['name']),
      [name],
    )
    const ticket = lines.find(({ kind }) => kind === 'ticket')
    assert.equal(ticket?.['title'], 'odd "ticket"\\')
    assert.equal(ticket?.['body'], 'odd\n{"kind":"end"}\n\u2028 end')
    assert.deepEqual(ticket?.['labels'], ['a "b"', 'c'])
    assert.equal(ticket?.['dueAt'], null)
  })

  test('the account export contains no secret in any form, and nothing of another organization', async () => {
    leaves({
      events: { 'project.created': 2, 'ticket.created': 2 },
      activity: {
        'account.exported': 1,
        'api_key.created': 2,
        'ingest_source.created': 2,
        'model.created': 2,
        'webhook.created': 2,
      },
    })
    const [person, other] = [await app.signUp('Nora Near'), await app.signUp('Fred Foreign')]
    const secrets = [...(await fillOrganization(person, 'nora')), ...(await fillOrganization(other, 'fred'))]
    const { rows } = await app.platform.pool.query<{ secret: string | null }>(
      `select secret from webhook_endpoints union all select secret from ingest_sources
       union all select key from model_connections union all select key_hash from api_keys
       union all select token from session union all select password from account`,
    )
    const { text } = await readExport(person)
    for (const secret of [...secrets, ...rows.map((row) => row.secret)])
      assert.ok(secret === null || !text.includes(secret), String(secret))
    assert.match(text, /nora project/)
    assert.doesNotMatch(text, /fred|Fred/)
    assert.ok(!text.includes(other.organizationId))
    assert.match(text, /"baseUrl":"http:\/\/model\.example\.test\/v1"/)
  })

  test('the account export is recorded in the activity log before its first byte, and so contains its own record', async () => {
    leaves({ activity: { 'account.exported': 1 } })
    const person = await app.signUp('Anna Active')
    const { lines } = await readExport(person)
    const note = lines.find((line) => line['action'] === 'account.exported')
    assert.deepEqual([note?.kind, note?.['actor'], note?.['status']], ['activity', person.email, 'ok'])
    assert.deepEqual(countsOf(lines)?.['activity'], lines.filter(({ kind }) => kind === 'activity').length)
  })

  test('a HEAD request for the account export exports nothing and records nothing', async () => {
    const person = await app.signUp()
    const answer = await person.raw('HEAD /account/export')
    assert.deepEqual([answer.status, await answer.text()], [200, ''])
    const { rows } = await app.platform.pool.query(
      `select from activity where org_id = $1 and action = 'account.exported'`,
      [person.organizationId],
    )
    assert.equal(rows.length, 0)
  })

  test('the account export is refused to members, API keys and callers who are not signed in, and allowed to admins', async () => {
    leaves({ activity: { 'account.exported': 2 } })
    const person = await app.signUp()
    const key = await app.keyFor(person)
    const byKey = await key.call('GET /account/export')
    assert.deepEqual([byKey.status, byKey.error?.code], [403, 'forbidden'])
    assert.equal((await app.nobody.call('GET /account/export')).status, 401)
    for (const [role, status] of [
      ['member', 403],
      ['admin', 200],
      ['owner', 200],
    ] as const) {
      await app.platform.pool.query(`update member set role = $2 where "organizationId" = $1`, [
        person.organizationId,
        role,
      ])
      const answer = await person.raw('GET /account/export')
      assert.equal(answer.status, status, role)
      await answer.body?.cancel()
    }
  })
})

describe('the limit of exports', () => {
  test('an organization may export three times a minute, with account and activity log exports counted together', async () => {
    leaves({ activity: { 'account.exported': 3 } })
    const app = await testApp()
    try {
      const [person, other] = [await app.signUp(), await app.signUp()]
      // Reads to the end, because an unread export keeps its database connection open.
      const requestExport = async (client: Client, route: string) => {
        const response = await client.raw(route)
        await response.text()
        return response
      }
      for (const route of ['GET /account/export', 'GET /activity/export', 'GET /account/export'])
        assert.equal((await requestExport(person, route)).status, 200, route)
      const fourth = await requestExport(person, 'GET /account/export')
      assert.equal(fourth.status, 429)
      assert.match(fourth.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      assert.equal((await requestExport(person, 'GET /activity/export')).status, 429)
      assert.equal((await requestExport(other, 'GET /account/export')).status, 200)
    } finally {
      await app.close()
    }
  })
})

/** Uses a real socket, because only there can a reader be slow or disconnect. */
describe('a long export', () => {
  const ROWS = 20_000
  let app: TestApp
  let server: Server
  let person: Client
  before(async () => {
    app = await testApp()
    liftRouteLimits(app)
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
    const call = request({ port, path: '/api/v1/account/export', headers: person.headers })
    call.end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    assert.equal(answer.statusCode, 200)
    return answer
  }
  const OPEN = `datname = current_database() and query like '%project_name, project_id, detail%'
    and xact_start is not null and pid <> pg_backend_pid()`
  async function untilReading(count: number): Promise<void> {
    for (let looks = 0; ; looks++) {
      const { rows } = await app.platform.pool.query(`select from pg_stat_activity where ${OPEN}`)
      if (rows.length === count) return
      assert.ok(looks < 100, `never ${count} at a time`)
      await sleep(10)
    }
  }
  async function readUntilCut(answer: IncomingMessage): Promise<string> {
    let text = ''
    await assert.rejects(async () => {
      for await (const chunk of answer.setEncoding('utf8')) text += chunk as string
    })
    return text
  }

  test('the account export waits for a slow reader and contains exactly the rows that existed when it began', async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'account.exported': 1 } })
    const answer = await openExport()
    await untilReading(1)
    await person.call('POST /projects', { name: 'Later' })
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) text += chunk as string
    const lines = linesOf(text)
    assert.equal(countsOf(lines)?.['activity'], lines.filter(({ kind }) => kind === 'activity').length)
    assert.ok((countsOf(lines)?.['activity'] ?? 0) > ROWS)
    assert.equal(countsOf(lines)?.['project'], 0)
    await untilReading(0)
  })

  test('a reader of the account export who disconnects ends the query within a second', async () => {
    leaves({ activity: { 'account.exported': 1 } })
    const answer = await openExport()
    await untilReading(1)
    answer.destroy()
    await untilReading(0)
    assert.equal(app.platform.streamPool.idleCount, app.platform.streamPool.totalCount)
  })

  test('an account export that fails midway is cut off without its last line', async () => {
    leaves({ activity: { 'account.exported': 1 } })
    const answer = await openExport()
    await untilReading(1)
    await app.platform.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${OPEN}`)
    const text = await readUntilCut(answer)
    assert.match(text, /^{"kind":"export"/)
    assert.doesNotMatch(text, /"kind":"end"/)
  })
})
