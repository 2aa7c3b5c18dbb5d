import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LogEvent } from './telemetry.ts'
import { queryTelemetry, TelemetryQuery } from './query.ts'
import { Telemetry } from './telemetry.ts'

const FROM = Date.UTC(2026, 10, 26, 12)
const MINUTE = 60_000
const lineEvent = (change: Partial<LogEvent>): LogEvent => ({
  accountId: 'acme',
  script: 'shop',
  at: FROM,
  requestId: 'r',
  type: 'cf-worker',
  eventType: 'fetch',
  outcome: 'ok',
  level: 'info',
  message: '',
  error: null,
  fingerprint: null,
  trigger: null,
  url: null,
  statusCode: null,
  source: {},
  ...change,
})

interface Aggregate {
  count: number
  value: number
  interval: number
  sampleInterval: number
  groups: { key: string; value: string | number }[]
}
interface Found {
  run: { granularity: number }
  events: { count: number; events: { $metadata: { message: string } }[] }
  calculations: {
    calculation: string
    alias?: string
    aggregates: Aggregate[]
    series: { time: string; data: Aggregate[] }[]
  }[]
}

describe('queries over the logs of workers', () => {
  let telemetry: Telemetry
  before(() => {
    telemetry = new Telemetry(':memory:')
    telemetry.addEvents([
      lineEvent({
        message: 'a',
        level: 'error',
        error: 'dry',
        statusCode: 500,
        source: { n: 5, user: { id: 'u1' }, ok: true },
      }),
      lineEvent({
        message: 'b',
        at: FROM + MINUTE,
        statusCode: 200,
        source: { n: 10, user: { id: 'u2' }, ok: false },
      }),
      lineEvent({ message: 'c', at: FROM + 2 * MINUTE, script: 'other', source: 'n is five' }),
      lineEvent({ message: 'foreign', accountId: 'evil', source: { n: 5 } }),
      lineEvent({ message: 'early', at: FROM - 1 }),
      lineEvent({ message: 'late', at: FROM + 10 * MINUTE + 1 }),
    ])
  })
  after(() => telemetry.close())

  const query = (input: object, accountId = 'acme') =>
    queryTelemetry(
      telemetry,
      accountId,
      TelemetryQuery.parse({
        queryId: 'q',
        timeframe: { from: FROM, to: FROM + 10 * MINUTE },
        ...input,
      }),
    ) as Found
  const messages = (parameters: object, more: object = {}, accountId?: string) =>
    query({ view: 'events', parameters, ...more }, accountId).events.events.map(
      ({ $metadata }) => $metadata.message,
    )
  const filtered = (key: string, operation: string, value?: unknown, type?: string) =>
    messages({ filters: [{ key, operation, value, type }] })
  const calculate = (parameters: object, more: object = {}) => query({ parameters, ...more }).calculations

  test("a telemetry query returns one account's events in the inclusive time range, newest first, with their total", () => {
    assert.deepEqual(messages({}), ['c', 'b', 'a'])
    assert.deepEqual(messages({}, {}, 'evil'), ['foreign'])
    assert.deepEqual(messages({}, {}, 'nobody'), [])
    const { events } = query({ view: 'events', limit: 1 })
    assert.deepEqual([events.count, events.events.length], [3, 1])
    const swapped = { timeframe: { from: FROM + MINUTE, to: FROM } }
    assert.deepEqual(messages({}, swapped), [])
  })

  test('a telemetry event is returned without the fields that have no value', () => {
    const [event] = query({ view: 'events', limit: 1, timeframe: { from: FROM, to: FROM } }).events.events
    assert.deepEqual(event, {
      dataset: 'cloudflare-workers',
      timestamp: FROM,
      source: { n: 5, user: { id: 'u1' }, ok: true },
      $metadata: {
        id: '1',
        account: 'acme',
        requestId: 'r',
        service: 'shop',
        type: 'cf-worker',
        level: 'error',
        message: 'a',
        error: 'dry',
        statusCode: 500,
      },
      $workers: { eventType: 'fetch', outcome: 'ok', requestId: 'r', scriptName: 'shop', truncated: false },
    })
  })

  test('a telemetry filter compares a field as a number, string or boolean, and each operation has two spellings', () => {
    for (const [operation, value, found] of [
      ['eq', 5, ['a']],
      ['=', '5', ['a']],
      ['gt', 5, ['b']],
      ['>=', 5, ['b', 'a']],
      ['lt', 10, ['a']],
      ['<=', 10, ['b', 'a']],
    ] as const)
      assert.deepEqual(filtered('n', operation, value, 'number'), found, operation)
    assert.deepEqual(filtered('ok', 'eq', true, 'boolean'), ['a'])
    assert.deepEqual(filtered('ok', 'eq', 'true', 'boolean'), ['a'])
    assert.deepEqual(filtered('ok', 'EQ', 'false', 'boolean'), ['b'])
    assert.deepEqual(filtered('user.id', 'eq', 'u2'), ['b'])
    assert.deepEqual(filtered('$metadata.service', '!=', 'shop'), ['c'])
    assert.deepEqual(filtered('$metadata.statusCode', 'gte', 500, 'number'), ['a'])
  })

  test('a telemetry event without the filtered field matches only is_null, does_not_exist, neq and not_includes', () => {
    assert.deepEqual(filtered('n', 'exists'), ['b', 'a'])
    assert.deepEqual([filtered('n', 'is_null'), filtered('n', 'does_not_exist')], [['c'], ['c']])
    for (const differs of ['neq', '!='])
      assert.deepEqual(filtered('n', differs, 5, 'number'), ['c', 'b'], differs)
    assert.deepEqual(filtered('user.id', 'includes', '2'), ['b'])
    assert.deepEqual(filtered('user.id', 'not_includes', '2'), ['c', 'a'])
    assert.deepEqual(filtered('user.id', 'starts_with', 'u'), ['b', 'a'])
    assert.deepEqual(filtered('user.id', 'starts_with', '1'), [])
  })

  test('the telemetry filters in and not_in take comma-separated values and match strings and numbers', () => {
    assert.deepEqual(filtered('user.id', 'in', 'u2, u9'), ['b'])
    assert.deepEqual(filtered('n', 'in', '5,6'), ['a'])
    assert.deepEqual(filtered('n', 'in', 10, 'number'), ['b'])
    assert.deepEqual(filtered('$metadata.statusCode', 'in', '200,404'), ['b'])
    assert.deepEqual(filtered('n', 'not_in', '5,6'), ['b'])
    assert.deepEqual(filtered('$metadata.service', 'not_in', 'shop'), ['c'])
  })

  test('telemetry filters are combined with "and" or "or", separately in each filter group', () => {
    const [is5, is10] = [5, 10].map((value) => ({ key: 'n', operation: 'eq', type: 'number', value }))
    assert.deepEqual(messages({ filters: [is5, is10] }), [])
    assert.deepEqual(messages({ filters: [is5, is10], filterCombination: 'OR' }), ['b', 'a'])
    const either = { kind: 'group', filterCombination: 'or', filters: [is5, is10] }
    const isError = { kind: 'filter', key: '$metadata.level', operation: 'eq', value: 'error' }
    assert.deepEqual(messages({ filters: [either, isError] }), ['a'])
    assert.deepEqual(messages({ filters: [{ kind: 'group', filters: [] }] }), ['c', 'b', 'a'])
  })

  test('the filter values and field keys of a telemetry query are never executed as SQL', () => {
    assert.deepEqual(filtered('user.id', 'eq', "' OR 1=1 --"), [])
    for (const key of ["n') OR 1=1 --", '', 'a b', '$metadata.accountId', 'account_id"', 'a..b', '$.n'])
      assert.throws(() => filtered(key, 'exists'), { status: 400, message: `The key ${key} is not known.` })
    assert.deepEqual([filtered('constructor', 'exists'), filtered('account_id', 'exists')], [[], []])
  })

  test('the error for an unsupported telemetry operation contains its name, even for a name such as "constructor"', () => {
    for (const operation of ['regex', 'constructor', ''])
      assert.throws(() => filtered('n', operation, 'x'), {
        status: 400,
        message: `The operation ${operation} is not available in the local cloud.`,
      })
    for (const calculation of [
      { operator: 'p99', key: 'n' },
      { operator: 'constructor', key: 'n' },
      { operator: 'sum' },
    ])
      assert.throws(() => calculate({ calculations: [calculation] }), {
        status: 400,
        message: `The calculation ${calculation.operator} is not available in the local cloud.`,
      })
  })

  test('a telemetry calculation returns one value for the whole time range and one for each interval', () => {
    const aggregate = (count: number, value: number, interval: number) => ({
      count,
      value,
      interval,
      sampleInterval: 1,
      groups: [],
    })
    assert.deepEqual(calculate({ calculations: [{ operator: 'SUM', key: 'n', alias: 'total' }] }), [
      {
        calculation: 'sum',
        alias: 'total',
        aggregates: [aggregate(3, 15, 600)],
        series: [
          { time: '2026-11-26T12:00:00.000Z', data: [aggregate(1, 5, 60)] },
          { time: '2026-11-26T12:01:00.000Z', data: [aggregate(1, 10, 60)] },
          { time: '2026-11-26T12:02:00.000Z', data: [aggregate(1, 0, 60)] },
        ],
      },
    ])
    const values = ['avg', 'min', 'max', 'uniq', 'count_distinct', 'count'].map((operator) =>
      calculate({ calculations: [{ operator, key: 'n' }] })[0]?.aggregates.map(({ value }) => value),
    )
    assert.deepEqual(values, [[7.5], [5], [10], [2], [2], [3]])
    const filters = [{ key: 'n', operation: 'is_null' }]
    const [ofNothing] = calculate({ filters, calculations: [{ operator: 'avg', key: 'n' }] })
    assert.deepEqual(ofNothing?.aggregates, [aggregate(1, 0, 600)])
  })

  test('a grouped telemetry calculation lists the largest group first, and groups events without the field under ""', () => {
    const groupsOf = (...keys: string[]) =>
      calculate({ groupBys: keys.map((value) => ({ type: 'string', value })) })[0]?.aggregates.map(
        ({ count, groups }) => [count, ...groups.map(({ key, value }) => `${key}=${value}`)],
      )
    assert.deepEqual(groupsOf('$metadata.service'), [
      [2, '$metadata.service=shop'],
      [1, '$metadata.service=other'],
    ])
    assert.deepEqual(groupsOf('user.id', '$metadata.service')?.toSorted(), [
      [1, 'user.id=', '$metadata.service=other'],
      [1, 'user.id=u1', '$metadata.service=shop'],
      [1, 'user.id=u2', '$metadata.service=shop'],
    ])
  })

  test('a telemetry query uses the shortest interval of 1 min, 5 min, 1 h and 1 day that gives at most sixty intervals', () => {
    const granularityOf = (ms: number, granularity?: number) =>
      query({ timeframe: { from: FROM, to: FROM + ms }, granularity }).run.granularity
    const hour = 60 * MINUTE
    assert.deepEqual(
      [hour, hour + 1, 5 * hour, 5 * hour + 1, 60 * hour, 60 * hour + 1, 900 * 24 * hour].map((ms) =>
        granularityOf(ms),
      ),
      [60, 300, 300, 3600, 3600, 86_400, 86_400],
    )
    assert.equal(granularityOf(hour, 7), 7)
    assert.equal(granularityOf(-hour), 60)
  })

  test('a telemetry query that matches no events has no groups and no series', () => {
    const found = calculate({
      groupBys: [{ value: 'n' }],
      filters: [{ key: 'n', operation: 'eq', value: 'x' }],
    })
    assert.deepEqual(found, [{ calculation: 'count', aggregates: [], series: [] }])
  })
})
