import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { countErrorLines, readErrorLines } from './telemetry.ts'
import { bodyResponse, closeProviders, errorResponse, hangUp, okResponse, startProvider } from '../testing.ts'

const WINDOW = { from: new Date('2026-11-26T10:00:00Z'), to: new Date('2026-11-26T11:00:00Z') }
const QUERY = 'POST /accounts/acc/workers/observability/telemetry/query'
const timeframe = { from: WINDOW.from.getTime(), to: WINDOW.to.getTime() }
const filter = (key: string, value: string) => ({ key, operation: 'eq', type: 'string', value })
const errorFilters = [filter('$metadata.level', 'error'), filter('kind', 'error')]
const AT = new Date('2026-11-26T10:30:00Z')
const linesResponse = (...sources: unknown[]) =>
  okResponse({ events: { events: sources.map((source) => ({ timestamp: AT.getTime(), source })) } })
const bare = { stack: null, route: null, tier: null, release: null, at: AT }

describe('the error lines of workers at Cloudflare', () => {
  after(closeProviders)

  test('the logged errors of a worker are requested for the given period, at most 2,000 of them', async () => {
    const { cloud, calls, records } = await startProvider(linesResponse())
    assert.deepEqual(await readErrorLines(cloud, 'shop', WINDOW), [])
    assert.deepEqual(calls(), [
      [
        QUERY,
        {
          queryId: 'slipway-errors',
          view: 'events',
          limit: 2000,
          timeframe,
          parameters: {
            filterCombination: 'and',
            filters: [filter('$metadata.service', 'shop'), ...errorFilters],
          },
        },
      ],
    ])
    assert.deepEqual(records, [])
  })

  test('a logged error is read from an object or from JSON text, and each field that it lacks is null', async () => {
    const full = { message: 'm', stack: 's', route: '/r', tier: 'preview', release: 'abc' }
    const { cloud } = await startProvider(
      linesResponse(
        { ...full, extra: 1 },
        JSON.stringify(full),
        { message: '' },
        { message: 'm', stack: null, route: null, tier: null, release: null },
      ),
    )
    assert.deepEqual(await readErrorLines(cloud, 'shop', WINDOW), [
      { ...full, at: AT },
      { ...full, at: AT },
      { message: '', ...bare },
      { message: 'm', ...bare },
    ])
  })

  test('log lines of a worker that are not records of an error are skipped', async () => {
    const odd = [
      'plain text',
      '{"message":',
      '"text"',
      null,
      7,
      [],
      {},
      { message: 7 },
      { message: 'm', stack: 7 },
    ]
    const { cloud } = await startProvider(linesResponse({ message: 'first' }, ...odd, { message: 'last' }))
    assert.deepEqual(await readErrorLines(cloud, 'shop', WINDOW), [
      { message: 'first', ...bare },
      { message: 'last', ...bare },
    ])
  })

  test('a worker without log lines has no errors, whether the list of lines is empty, null or missing', async () => {
    for (const events of [{}, { events: null }, { events: [] }]) {
      const { cloud } = await startProvider(okResponse({ events }))
      assert.deepEqual(await readErrorLines(cloud, 'shop', WINDOW), [])
    }
  })

  test("a log response without an events object throws an error, and an error response throws an error with Cloudflare's message", async () => {
    for (const body of [{ success: true, result: null }, { success: true, result: {} }, '<html>']) {
      const { cloud } = await startProvider(bodyResponse(body))
      await assert.rejects(readErrorLines(cloud, 'shop', WINDOW), {
        fault: 'upstream',
        message:
          'The cloud account returned an unexpected response when asked to read the errors of the worker shop.',
      })
    }
    const { cloud } = await startProvider(errorResponse(400, 7000, 'No such account'))
    await assert.rejects(readErrorLines(cloud, 'shop', WINDOW), {
      message: 'The cloud account refused to read the errors of the worker shop: No such account.',
    })
  })

  test("a query of a worker's logs whose response is lost is sent again, because it changes nothing", async () => {
    const { cloud, seen } = await startProvider(hangUp, linesResponse({ message: 'm' }))
    assert.deepEqual(await readErrorLines(cloud, 'shop', WINDOW), [{ message: 'm', ...bare }])
    assert.equal(seen.length, 2)
  })
})

describe('the error counts of Cloudflare workers', () => {
  after(closeProviders)
  const SERVICE = '$metadata.service'
  const count = (value: number, script: unknown, key = SERVICE) => ({
    value,
    groups: [{ key, value: script }],
  })
  const sumsResponse = (...series: object[]) => okResponse({ calculations: [{ series }] })

  test('the errors of all workers are counted with one query, by worker and interval', async () => {
    const { cloud, calls } = await startProvider(
      sumsResponse(
        { time: '2026-11-26T10:00:00Z', data: [count(3, 'shop'), count(1, 'blog')] },
        { time: '2026-11-26T10:05:00.000Z', data: [count(2, 'shop')] },
        { time: '2026-11-26T10:10:00Z', data: [] },
      ),
    )
    const [first, second] = [new Date('2026-11-26T10:00:00Z'), new Date('2026-11-26T10:05:00Z')]
    assert.deepEqual(await countErrorLines(cloud, WINDOW), [
      { script: 'shop', at: first, count: 3 },
      { script: 'blog', at: first, count: 1 },
      { script: 'shop', at: second, count: 2 },
    ])
    assert.deepEqual(calls(), [
      [
        QUERY,
        {
          queryId: 'slipway-error-counts',
          view: 'calculations',
          limit: 2000,
          timeframe,
          parameters: {
            filterCombination: 'and',
            filters: errorFilters,
            calculations: [{ operator: 'count' }],
            groupBys: [{ type: 'string', value: SERVICE }],
          },
        },
      ],
    ])
  })

  test('an error count of Cloudflare that names no worker is skipped', async () => {
    const time = '2026-11-26T10:00:00Z'
    const nameless = [{ value: 1 }, { value: 1, groups: null }, { value: 1, groups: [] }, count(1, null)]
    const { cloud } = await startProvider(
      sumsResponse({ time, data: [...nameless, count(1, 'shop', 'kind'), count(5, 'shop')] }),
      okResponse({ calculations: [] }),
    )
    assert.deepEqual(await countErrorLines(cloud, WINDOW), [{ script: 'shop', at: new Date(time), count: 5 }])
    assert.deepEqual(await countErrorLines(cloud, WINDOW), [])
  })

  test('an invalid time of a logged error or an error count throws an error for an unexpected response', async () => {
    const odd = { events: { events: [{ timestamp: 1e300, source: { message: 'm' } }] } }
    const lines = await startProvider(okResponse(odd))
    await assert.rejects(readErrorLines(lines.cloud, 'shop', WINDOW), {
      fault: 'upstream',
      cause: 'unexpected response at: events.events.0.timestamp',
    })
    const sums = await startProvider(sumsResponse({ time: 'yesterday', data: [count(1, 'shop')] }))
    await assert.rejects(countErrorLines(sums.cloud, WINDOW), {
      fault: 'upstream',
      cause: 'unexpected response at: calculations.0.series.0.time',
    })
  })
})
