import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { countDays, countEvents } from './analytics-engine.ts'
import { bodyResponse, closeProviders, errorResponse, hangUp, startProvider } from '../testing.ts'

const WINDOW = { days: 30, since: new Date('2026-11-01T08:09:10.999Z') }
const dataResponse = (...data: object[]) => bodyResponse({ meta: [], data, rows: data.length })
const event = (name: string, more: object = {}) => ({
  name,
  word: '',
  weight: 1,
  has_visitor: 0,
  points: '1',
  total: 0,
  visitors: '0',
  last_at: '2026-11-26 10:00:00',
  ...more,
})
const total = (name: string, more: object = {}) => ({
  name,
  group: '',
  count: 1,
  value: 0,
  visitors: 0,
  lastAt: new Date('2026-11-26T10:00:00Z'),
  ...more,
})
const day = (text: string, isView: number, points: string, weight: number) => ({
  day: text,
  is_view: isView,
  weight,
  points,
})

describe('the events of an app at Cloudflare', () => {
  after(closeProviders)

  test('an Analytics Engine query is sent as SQL text and reads the events of the dataset from the given second on', async () => {
    const { cloud, requests, records } = await startProvider(dataResponse())
    assert.deepEqual(await countEvents(cloud, 'shop_events', WINDOW), [])
    assert.deepEqual(await countDays(cloud, 'shop_events', WINDOW), [])
    for (const { method, url, body } of requests) {
      assert.equal(`${method} ${url}`, 'POST /accounts/acc/analytics_engine/sql')
      const clause = `FROM shop_events
  WHERE timestamp > NOW() - INTERVAL '30' DAY
    AND timestamp >= toDateTime('2026-11-01 08:09:10')
  GROUP BY`
      assert.ok(body.includes(clause), body)
      assert.match(body, / LIMIT 2000 FORMAT JSON$/)
    }
    assert.deepEqual(records, [])
  })

  test('the rows of one analytics event with different weights are added up, each multiplied by its weight', async () => {
    const { cloud } = await startProvider(
      dataResponse(
        event('buy', { weight: 10, has_visitor: 1, points: '3', total: 4.5, visitors: '2' }),
        event('buy', { points: '5', total: '2', visitors: '1', last_at: '2026-11-26 11:00:00' }),
        event('buy', { has_visitor: '1', points: '1', visitors: '1', last_at: '2026-11-25 11:00:00' }),
      ),
    )
    assert.deepEqual(await countEvents(cloud, 'd', WINDOW), [
      total('buy', { count: 36, value: 47, visitors: 21, lastAt: new Date('2026-11-26T11:00:00Z') }),
    ])
  })

  test('analytics events are ordered by their count, and the groups of one event are counted separately', async () => {
    const { cloud } = await startProvider(
      dataResponse(
        event('rare', { points: '4' }),
        event('buy', { word: 'a', points: '3' }),
        event('buy', { word: 'b', points: '6' }),
        event('buy', { word: 'a', points: '2', weight: 5 }),
      ),
    )
    assert.deepEqual(await countEvents(cloud, 'd', WINDOW), [
      total('buy', { group: 'a', count: 13 }),
      total('buy', { group: 'b', count: 6 }),
      total('rare', { count: 4 }),
    ])
  })

  test('two pairs of analytics event and group are counted separately even when their joined names are equal', async () => {
    const { cloud } = await startProvider(
      dataResponse(event('a b', { word: 'c' }), event('a', { word: 'b c' }), event('__proto__')),
    )
    assert.deepEqual(await countEvents(cloud, 'd', WINDOW), [
      total('a b', { group: 'c' }),
      total('a', { group: 'b c' }),
      total('__proto__'),
    ])
  })

  test('page views and other events are added up separately for each day, and a day without events is left out', async () => {
    const { cloud } = await startProvider(
      dataResponse(
        day('2026-11-24 00:00:00', 1, '3', 10),
        day('2026-11-24 00:00:00', 0, '2', 1),
        day('2026-11-24 00:00:00', 1, '4', 1),
        day('2026-11-26 00:00:00', 0, '7', 2),
      ),
    )
    assert.deepEqual(await countDays(cloud, 'd', WINDOW), [
      { day: '2026-11-24', views: 34, events: 2 },
      { day: '2026-11-26', views: 0, events: 14 },
    ])
  })

  test('a refused analytics query counts as no events when the account has no such dataset', async () => {
    for (const status of [400, 404, 422]) {
      const missing = errorResponse(status, 10000, 'unknown table')
      const tables = dataResponse({ dataset: 'other' }, { dataset: 'shop' })
      const { cloud, requests } = await startProvider(missing, tables)
      assert.deepEqual(await countEvents(cloud, 'shop_events', WINDOW), [])
      assert.equal(requests[1]?.body, 'SHOW TABLES FORMAT JSON')
    }
  })

  test('a refused analytics query is an error when the dataset exists, or when the list of datasets cannot be read', async () => {
    const refused = errorResponse(422, 10000, 'syntax error')
    const known = await startProvider(refused, dataResponse({ name: 'other' }, { name: 'shop_events' }))
    await assert.rejects(countDays(known.cloud, 'shop_events', WINDOW), {
      status: 422,
      message: 'The cloud account refused to read the events of the app: syntax error.',
    })
    const silent = await startProvider(refused, errorResponse(403, 10000, 'not allowed'))
    await assert.rejects(countDays(silent.cloud, 'shop_events', WINDOW), {
      fault: 'missing_scope',
      status: 403,
    })
  })

  test('an analytics query that fails for another reason than its dataset requests no list of datasets', async () => {
    const { cloud, seen } = await startProvider(errorResponse(403, 10000, 'not allowed'))
    await assert.rejects(countEvents(cloud, 'd', WINDOW), { fault: 'missing_scope' })
    // The second request asks whether the credential is still accepted.
    assert.deepEqual(seen, ['POST /accounts/acc/analytics_engine/sql', 'GET /accounts'])
  })

  test('an analytics query whose response is lost is sent again', async () => {
    const { cloud, seen } = await startProvider(hangUp, dataResponse(event('buy')))
    assert.deepEqual(await countEvents(cloud, 'd', WINDOW), [total('buy')])
    assert.equal(seen.length, 2)
  })

  test('an analytics row with a non-numeric count or a missing or malformed time throws an error for an unexpected response', async () => {
    const unexpected = {
      fault: 'upstream',
      message: 'The cloud account returned an unexpected response when asked to read the events of the app.',
    }
    for (const odd of [{ points: 'many' }, { weight: {} }, { last_at: null }, { last_at: 'yesterday' }]) {
      const { cloud } = await startProvider(dataResponse(event('buy', odd)))
      await assert.rejects(countEvents(cloud, 'd', WINDOW), unexpected)
    }
    for (const body of [{}, { data: null }, '<html>']) {
      const { cloud } = await startProvider(bodyResponse(body))
      await assert.rejects(countDays(cloud, 'd', WINDOW), unexpected)
    }
  })
})
