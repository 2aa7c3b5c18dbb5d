import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { api, askApp, deployWorker, startTestWorld, type TestWorld, workerUpload } from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const SOURCE = `
export default {
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/throw') throw new TypeError('no such plant')
    if (pathname === '/line') {
      console.log('watering', { plant: 'fern' })
      console.error(JSON.stringify({ kind: 'error', message: 'the pump is dry', stack: 'at pump', route: '/line' }))
    }
    return new Response('ok')
  },
}`

/**
 * A worker with a Durable Object that throws in RPC methods, in its alarm and in the handler of WebSocket
 * messages.
 */
const BEHIND = `
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers'
export class Pump extends DurableObject {
  water() { throw new Error('told to the caller') }
  async wait() { await this.ctx.storage.setAlarm(Date.now()) }
  fetch() {
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    return new Response(null, { status: 101, webSocket: client })
  }
  async alarm() { throw new RangeError('woken for nothing') }
  webSocketMessage() { throw new Error('not understood') }
}
export default class extends WorkerEntrypoint {
  async fetch({ url }) {
    const pump = this.env.PUMP.getByName('one')
    if (url.endsWith('/wait')) await pump.wait()
    if (url.endsWith('/caught')) await pump.water().catch(() => {})
    if (url.endsWith('/talk')) {
      const { webSocket } = await pump.fetch(url, { headers: { upgrade: 'websocket' } })
      webSocket.accept()
      webSocket.send('hello')
    }
    return new Response('ok')
  }
}`

/**
 * The number of records of the four requests to each worker: two log lines, two exceptions and three invocations. The fourth invocation,
 * which has neither a log line nor an exception, is not stored.
 */
const STORED_RECORDS = 7

interface Sums {
  sum: { requests: number; errors: number }
  dimensions: { scriptName: string; datetimeHour: string }
}
interface Events {
  count: number
  events: { source: unknown; $metadata: Record<string, unknown>; $workers: Record<string, unknown> }[]
}

describe('request counts, logs and telemetry of workers', () => {
  let world: TestWorld
  before(async () => {
    world = await startTestWorld()
    const observed = workerUpload(SOURCE, { observability: { enabled: true } })
    assert.ok((await deployWorker(world, 'watched', observed)).success)
    assert.ok((await deployWorker(world, 'silent', workerUpload(SOURCE))).success)
    const logs = { enabled: true, invocation_logs: false }
    const terse = workerUpload(SOURCE, { observability: { enabled: true, logs } })
    assert.ok((await deployWorker(world, 'terse', terse)).success)
    for (const worker of ['watched', 'silent', 'terse'])
      for (const path of ['/', '/line', '/throw', '/throw']) await askApp(world, worker, path)
  })
  after(() => world.remove())

  async function queryGraphql(query: string, variables: object = {}) {
    const response = await fetch(`${world.restUrl}/cloudflare/client/v4/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.account.token}` },
      body: JSON.stringify({ query, variables }),
    })
    assert.equal(response.status, 200)
    return (await response.json()) as {
      data: { viewer: { accounts: { rows: Sums[] }[] } } | null
      errors: { message: string }[] | null
    }
  }

  const QUERY = `query Counts($account: string!, $scripts: [string!], $from: Time) {
    viewer { accounts(filter: { accountTag: $account }) {
      rows: workersInvocationsAdaptive(limit: 100, filter: { scriptName_in: $scripts, datetime_geq: $from }) {
        sum { requests errors } dimensions { scriptName datetimeHour } } } } }`

  async function queryEvents(filters: object[]): Promise<Events> {
    const answer = await api(world, 'POST', '/workers/observability/telemetry/query', {
      queryId: 'test',
      view: 'events',
      timeframe: { from: Date.now() - 3_600_000, to: Date.now() + 1000 },
      parameters: { filters },
    })
    assert.ok(answer.success, JSON.stringify(answer.errors))
    return (answer.result as { events: Events }).events
  }

  const serviceFilter = (name: string) => ({
    key: '$metadata.service',
    operation: 'eq',
    type: 'string',
    value: name,
  })

  test('the local cloud counts requests per worker and hour, and also exceptions when observability is enabled', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString()
    const scripts = ['watched', 'silent', 'terse']
    const readSeries = async () => {
      const { data, errors } = await queryGraphql(QUERY, { account: world.account.id, scripts, from })
      assert.equal(errors, null)
      return Object.groupBy(data?.viewer.accounts[0]?.rows ?? [], (row) => row.dimensions.scriptName)
    }
    let counts = await readSeries()
    const totalOf = (name: string, key: 'requests' | 'errors') =>
      (counts[name] ?? []).reduce((sum, row) => sum + row.sum[key], 0)
    // Wait, because an app reports its counts shortly after its responses.
    await waitUntil(
      async () => {
        counts = await readSeries()
        const areCounted = scripts.every((name) => totalOf(name, 'requests') >= 4)
        const haveErrors = ['watched', 'terse'].every((name) => totalOf(name, 'errors') >= 2)
        return (
          areCounted && haveErrors && (await queryEvents([serviceFilter('watched')])).count >= STORED_RECORDS
        )
      },
      { details: () => JSON.stringify(counts) },
    )
    assert.equal(totalOf('watched', 'requests'), 4)
    assert.equal(totalOf('watched', 'errors'), 2)
    assert.equal(totalOf('silent', 'requests'), 4)
    assert.deepEqual([totalOf('terse', 'requests'), totalOf('terse', 'errors')], [4, 2])
    assert.match(counts['watched']?.[0]?.dimensions.datetimeHour ?? '', /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/)
  })

  test('a GraphQL query of traffic for unknown fields or another account is refused with a GraphQL error', async () => {
    const unknown = await queryGraphql('{ viewer { zones { name } } }')
    assert.equal(unknown.data, null)
    assert.match(unknown.errors?.[0]?.message ?? '', /unknown field "zones"/)
    const foreign = await queryGraphql(QUERY, { account: 'f'.repeat(32) })
    assert.match(foreign.errors?.[0]?.message ?? '', /not authorized/)
    assert.match((await queryGraphql('{ viewer {')).errors?.[0]?.message ?? '', /Syntax Error/)
  })

  test('log lines and exceptions of a worker with observability can be queried by their fields', async () => {
    const lines = await queryEvents([
      serviceFilter('watched'),
      { key: 'kind', operation: 'eq', type: 'string', value: 'error' },
    ])
    assert.equal(lines.count, 1)
    const [line] = lines.events
    assert.partialDeepStrictEqual(line?.source, { route: '/line' })
    assert.equal(line?.$metadata['message'], 'the pump is dry')
    assert.equal(line?.$metadata['trigger'], 'GET /line')
    const thrown = await queryEvents([
      serviceFilter('watched'),
      { key: '$metadata.error', operation: 'includes', type: 'string', value: 'no such plant' },
    ])
    assert.equal(thrown.count, 2)
    assert.equal(thrown.events[0]?.$workers['outcome'], 'exception')
  })

  test('a worker with invocation logs disabled keeps its log lines and exceptions', async () => {
    await waitUntil(async () => (await queryEvents([serviceFilter('terse')])).count >= 4)
    const { events: kept } = await queryEvents([serviceFilter('terse')])
    assert.deepEqual(kept.map(({ $metadata }) => $metadata['message']).sort(), [
      'TypeError: no such plant',
      'TypeError: no such plant',
      'the pump is dry',
      'watering {"plant":"fern"}',
    ])
    const thrown = kept.find(({ $workers }) => $workers['outcome'] === 'exception')
    assert.partialDeepStrictEqual(thrown?.$metadata, {
      type: 'cf-worker-event',
      level: 'error',
      trigger: 'GET /throw',
    })
    assert.match(JSON.stringify(thrown?.source), /no such plant.*at .*fetch/)
    const isError = { key: 'kind', operation: 'eq', type: 'string', value: 'error' }
    const [line] = (await queryEvents([serviceFilter('terse'), isError])).events
    assert.partialDeepStrictEqual(line?.source, { route: '/line', stack: 'at pump' })
    assert.equal(line?.$metadata['level'], 'error')
  })

  test('without invocation logs an uncaught exception is stored, but not one that an RPC method throws to its caller', async () => {
    const upload = workerUpload(BEHIND, {
      observability: { enabled: true, logs: { enabled: true, invocation_logs: false } },
      bindings: [{ type: 'durable_object_namespace', name: 'PUMP', class_name: 'Pump' }],
      migrations: { new_tag: 'v1', new_sqlite_classes: ['Pump'] },
    })
    assert.ok((await deployWorker(world, 'behind', upload)).success)
    for (const path of ['/caught', '/talk', '/wait'])
      assert.equal((await askApp(world, 'behind', path)).text, 'ok')
    const behindEvents = async () => (await queryEvents([serviceFilter('behind')])).events
    const metadataOf = (one: { $metadata: object; $workers: object }) =>
      ({ ...one.$metadata, ...one.$workers }) as { message: string; eventType: string; outcome: string }
    await waitUntil(async () => (await behindEvents()).some((one) => metadataOf(one).eventType === 'alarm'))
    await waitUntil(async () =>
      (await behindEvents()).some((one) => metadataOf(one).message === 'Error: not understood'),
    )
    assert.deepEqual(
      [
        ...new Set(
          (await behindEvents()).map((one) => `${metadataOf(one).message}, ${metadataOf(one).outcome}`),
        ),
      ].sort(),
      ['Error: not understood, exception', 'RangeError: woken for nothing, exception'],
    )
  })

  test('no logs of a worker are stored until its observability is enabled', async () => {
    assert.equal((await queryEvents([serviceFilter('silent')])).count, 0)
    const path = '/workers/scripts/silent/script-settings'
    assert.ok((await api(world, 'PATCH', path, { observability: { enabled: true } })).success)
    await askApp(world, 'silent', '/line')
    await waitUntil(async () => (await queryEvents([serviceFilter('silent')])).count > 0)
  })

  test('a telemetry query counts events per group and per time interval', async () => {
    const answer = await api(world, 'POST', '/workers/observability/telemetry/query', {
      queryId: 'test',
      view: 'calculations',
      timeframe: { from: Date.now() - 24 * 3_600_000, to: Date.now() + 1000 },
      parameters: {
        filters: [
          serviceFilter('watched'),
          { key: '$metadata.level', operation: 'eq', type: 'string', value: 'error' },
        ],
        calculations: [{ operator: 'count' }],
        groupBys: [{ type: 'string', value: '$metadata.service' }],
      },
    })
    const { calculations } = answer.result as {
      calculations: {
        aggregates: { value: number; groups: object[] }[]
        series: { data: { value: number }[] }[]
      }[]
    }
    // The worker has three events: one log line and two exceptions.
    assert.deepEqual(calculations[0]?.aggregates[0]?.groups, [{ key: '$metadata.service', value: 'watched' }])
    assert.equal(calculations[0]?.aggregates[0]?.value, 3)
    assert.equal(
      calculations[0]?.series.flatMap(({ data }) => data).reduce((sum, one) => sum + one.value, 0),
      3,
    )
    const odd = await api(world, 'POST', '/workers/observability/telemetry/query', {
      queryId: 'test',
      view: 'events',
      timeframe: { from: 0, to: 1 },
      parameters: { filters: [{ key: 'a" OR 1', operation: 'eq', type: 'string', value: 'x' }] },
    })
    assert.equal(odd.status, 400)
  })
})
