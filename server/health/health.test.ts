import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { testApp, type TestApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'

const TOKEN = 'metrics-token-of-the-tests'

describe('readiness', () => {
  let app: TestApp
  let world: Server
  before(async () => {
    app = await testApp()
    world = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
    await once(world, 'listening')
    const { port } = world.address() as AddressInfo
    app.config.cloudflare = { ...app.config.cloudflare, api: `http://127.0.0.1:${port}` }
  })
  after(async () => {
    world.close()
    await app.close()
  })

  const storeHeartbeat = (role: string, secondsAgo: number) =>
    app.platform.pool.query(
      `insert into processes (role, host, seen_at, version, created_at)
       values ($1, 'h', now() - make_interval(secs => $2), '1', now())`,
      [role, secondsAgo],
    )
  const readReadiness = async () => {
    const { status, error } = await app.nobody.call('GET /readyz')
    return error === undefined ? status : `${status} ${error.code}: ${error.message}`
  }

  test('when the last heartbeat of all worker processes is 31 seconds old, the readiness check fails and names the worker heartbeat', async () => {
    await storeHeartbeat('web', 0)
    await storeHeartbeat('worker', 31)
    assert.equal(await readReadiness(), '503 unavailable: Not ready: worker heartbeat.')
  })

  test('with a fresh worker heartbeat the service reports that it is ready, even to callers without credentials', async () => {
    await storeHeartbeat('worker', 0)
    assert.equal(await readReadiness(), 200)
  })

  test('when a database migration was not applied, the readiness check fails and names the migrations', async () => {
    const { rows } = await app.platform.pool.query<{ number: number }>(
      `delete from schema_migrations where number = (select max(number) from schema_migrations) returning *`,
    )
    assert.equal(await readReadiness(), '503 unavailable: Not ready: migrations.')
    await app.platform.pool.query(
      `insert into schema_migrations (number, name, sha256, took_ms) values ($1, 'x', 'x', 0)`,
      [rows[0]?.number],
    )
    assert.equal(await readReadiness(), 200)
  })

  test('when the data directory is missing, the readiness check fails and names the directory', async () => {
    const { dataDir } = app.config
    app.config.dataDir = `${dataDir}/gone`
    assert.equal(await readReadiness(), '503 unavailable: Not ready: data directory.')
    app.config.dataDir = dataDir
    chmodSync(dataDir, 0o700)
    assert.equal(await readReadiness(), 200)
  })

  test('the readiness check fails and names the local emulators of cloud providers when they are down, unless they are disabled', async () => {
    world.closeAllConnections()
    await new Promise((resolve) => world.close(resolve))
    assert.equal(await readReadiness(), '503 unavailable: Not ready: local world.')
    app.config.localWorld = false
    assert.equal(await readReadiness(), 200)
    app.config.localWorld = true
  })

  test('when the database does not respond, the readiness check fails within two seconds and names the database and all checks that need it', async () => {
    const { pool } = app.platform
    const held = await Promise.all(Array.from({ length: 10 }, () => pool.connect()))
    const began = performance.now()
    assert.equal(
      await readReadiness(),
      '503 unavailable: Not ready: database, migrations, worker heartbeat, local world.',
    )
    assert.ok(performance.now() - began < 2000)
    for (const client of held) client.release()
  })

  test('while no metrics token is set, metrics are not served to any caller', async () => {
    const person = await app.signUp()
    const key = await app.keyFor(person)
    for (const client of [app.nobody, person, key]) {
      const { status, error } = await client.call('GET /metrics')
      assert.deepEqual([status, error?.message], [404, 'No route GET /metrics.'])
    }
  })
})

describe('metrics', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ metricsToken: TOKEN })
  })
  after(() => app.close())

  const requestMetrics = (authorization?: string) =>
    app.request('GET /metrics', { headers: authorization === undefined ? {} : { authorization } })
  async function readMetrics(): Promise<string> {
    const answer = await requestMetrics(`Bearer ${TOKEN}`)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    return answer.text()
  }
  /** Returns the value in the line of the metrics that begins with `start`, or null when there is no such line. */
  const valueOf = (text: string, start: string): number | null => {
    const line = text.split('\n').find((one) => one.startsWith(`${start} `))
    return line === undefined ? null : Number(line.slice(start.length + 1))
  }

  test('metrics are refused for a wrong token, an API key, a session and no credentials', async () => {
    const person = await app.signUp('Marta Metric')
    const { key } = await app.keyFor(person)
    for (const wrong of [
      '',
      'Bearer ',
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(0, -1)}`,
      `Basic ${TOKEN}`,
      `Bearer ${key}`,
    ])
      assert.equal((await requestMetrics(wrong)).status, 401, wrong)
    assert.equal((await person.call('GET /metrics')).status, 401)
  })

  test('request metrics are labeled with the pattern of the route, and all unknown paths share the label `other`', async () => {
    leaves({ events: { 'project.created': 1 } })
    const person = await app.signUp()
    const project = await person.call<{ id: string }>('POST /projects', { name: 'Counted' })
    for (let i = 0; i < 3; i++) await person.call(`GET /projects/${project.data.id}`)
    await app.request(`GET /api/projects/${project.data.id}`, { headers: person.headers })
    await person.call('GET /projects/prj_none')
    for (const made of ['/api/v1/made-up', '/made/up', '/api/made-up']) await app.request(`GET ${made}`)
    const text = await readMetrics()
    const requestCount = (route: string, code: number) =>
      valueOf(text, `slipway_http_requests_total{method="GET",route="${route}",code="${code}"}`)
    assert.equal(requestCount('/projects/:projectId', 200), 4)
    assert.equal(requestCount('/projects/:projectId', 404), 1)
    assert.equal(requestCount('other', 404), 3)
    assert.equal(
      valueOf(text, 'slipway_http_request_seconds_count{method="GET",route="/projects/:projectId"}'),
      5,
    )
    assert.ok(
      (valueOf(text, 'slipway_http_requests_total{method="POST",route="/api/auth/*",code="200"}') ?? 0) > 0,
    )
  })

  test('the metrics of builds, queues, deliveries, jobs and processes are read from the database', async () => {
    leaves({ events: { 'project.created': 1, 'ticket.created': 1 }, activity: { 'webhook.created': 1 } })
    const { pool } = app.platform
    const person = await app.signUp()
    const { id } = (await person.call<{ id: string }>('POST /projects', { name: 'Waiting' })).data
    const ticket = await person.call<{ id: string }>(`POST /projects/${id}/tickets`, {
      title: 'Waits',
      type: 'task',
    })
    const hourAgo = new Date(app.clock.now().getTime() - 3_600_000)
    await pool.query(
      `insert into build_queue (org_id, project_id, ticket_id, position, scopes, created_at) values ($1, $2, $3, 1, '{}', $4)`,
      [person.organizationId, id, ticket.data.id, hourAgo],
    )
    await person.call('POST /webhooks', { url: 'https://example.com/', events: ['project.created'] })
    await pool.query(
      `insert into deliveries (event_id, endpoint_id, attempt, next_at)
       select e.id, w.id, 0, $1 from (select id from events limit 1) e, webhook_endpoints w`,
      [hourAgo],
    )
    await pool.query(
      `insert into processes (role, host, seen_at, version, created_at) values ('worker', 'h', now(), '1', now())`,
    )
    const text = await readMetrics()
    assert.equal(valueOf(text, 'slipway_build_queue_tickets'), 1)
    assert.equal(valueOf(text, 'slipway_build_queue_oldest_seconds'), 3600)
    assert.equal(valueOf(text, 'slipway_builds{state="running"}'), 0)
    assert.equal(valueOf(text, 'slipway_deliveries_waiting'), 1)
    assert.equal(valueOf(text, 'slipway_deliveries_overdue_seconds'), 3600)
    assert.equal(valueOf(text, 'slipway_processes{role="worker"}'), 1)
    assert.ok((valueOf(text, 'slipway_jobs{job="connect-local-cloud",state="due"}') ?? 0) > 0)
    assert.equal(valueOf(text, 'slipway_database_waiting{pool="main"}'), 0)
  })

  test('the metrics count finished builds, delivery attempts and jobs by outcome', async () => {
    app.platform.metrics?.buildFinished('built')
    app.platform.metrics?.deliveryAttempted('dropped')
    app.platform.metrics?.jobRun('mail', 'failed')
    const text = await readMetrics()
    assert.equal(valueOf(text, 'slipway_builds_finished_total{outcome="built"}'), 1)
    assert.equal(valueOf(text, 'slipway_deliveries_attempted_total{outcome="dropped"}'), 1)
    assert.equal(valueOf(text, 'slipway_jobs_run_total{job="mail",outcome="failed"}'), 1)
  })

  test('no metric contains an id, a name or an e-mail address of an organization, project or person', async () => {
    leaves({ events: { 'project.created': 1 } })
    const person = await app.signUp('Canary Bird')
    const { key } = await app.keyFor(person)
    await person.call('POST /projects', { name: 'Canary Project' })
    await app.request('GET /canary-path?q=canary')
    const text = await readMetrics()
    assert.doesNotMatch(text, /canary|example\.test|(prj|org|tkt|key|whe|evt)_[0-9a-z]/i)
    for (const secret of [key, person.organizationId, person.email]) assert.ok(!text.includes(secret))
  })

  test('while the database is down, the metrics of the process are still served, and one metric counts the failed queries', async () => {
    const { platform } = app
    const pool = {
      totalCount: 0,
      idleCount: 0,
      waitingCount: 0,
      query: () => Promise.reject(new Error('away')),
    }
    const away = { ...platform, db: {}, pool }
    const text = await platform.metrics?.text(away as unknown as typeof platform, platform.log)
    assert.ok(text)
    assert.equal(valueOf(text, 'slipway_metrics_unread_total'), 3)
    assert.equal(valueOf(text, 'slipway_build_queue_tickets'), null)
    assert.ok((valueOf(text, 'process_resident_memory_bytes') ?? 0) > 0)
    assert.notEqual(valueOf(await readMetrics(), 'slipway_build_queue_tickets'), null)
  })

  test('docs/guides/metrics.md lists exactly the metrics that exist, with their types', async () => {
    const page = readFileSync(new URL('../../docs/guides/metrics.md', import.meta.url), 'utf8')
    const documented = page
      .split('\n')
      // Metrics that are marked as "Linux only" are read from /proc, which other systems do not have.
      .filter((line) => process.platform === 'linux' || !line.includes('(Linux only)'))
      .flatMap((line) => /^\| `(\w+)` +\| (\w+) +\|/.exec(line)?.slice(1).join(' ') ?? [])
    const counted = await app.platform.metrics?.describe()
    assert.deepEqual(documented.toSorted(), counted?.map(({ name, type }) => `${name} ${type}`).toSorted())
  })
})
