import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Telemetry } from '../../observability/telemetry/telemetry.ts'
import { queryPoints } from './query.ts'

const HOUR = 3_600_000

describe('queries over data points', () => {
  let telemetry: Telemetry
  before(() => {
    telemetry = new Telemetry(':memory:')
    const at = Math.floor(Date.now() / HOUR) * HOUR - HOUR
    const makePoint = (accountId: string, name: string, group: string, value: number, ago = 0) => ({
      accountId,
      dataset: 'shop_events',
      at: at - ago,
      index: name,
      blobs: [name, group, `v${value}`],
      doubles: [value],
    })
    telemetry.addPoints([
      makePoint('acme', 'sale', 'eu', 10),
      makePoint('acme', 'sale', 'eu', 5),
      makePoint('acme', 'sale', 'us', 2, HOUR),
      makePoint('acme', 'visit', "o'clock", 1),
      makePoint('acme', 'sale', 'old', 99, 40 * 24 * HOUR),
      makePoint('other', 'sale', 'eu', 1000),
    ])
  })
  after(() => telemetry.close())

  const querySql = (sql: string) => queryPoints(telemetry, 'acme', sql)

  test('a SQL query can group, sum, count, find distinct values and the latest time, limit the time range and sort', () => {
    const answer =
      querySql(`SELECT blob1 AS name, blob2 AS grp, sum(_sample_interval) AS n, sum(double1 * _sample_interval) AS total,
      count(DISTINCT blob3) AS people, max(timestamp) AS last
      FROM shop_events WHERE timestamp > NOW() - INTERVAL '30' DAY AND blob1 IN ('sale', 'none')
      GROUP BY name, grp ORDER BY n DESC, grp LIMIT 10 FORMAT JSON`)
    assert.deepEqual(
      answer.data.map(({ last: _last, ...row }) => row),
      [
        { name: 'sale', grp: 'eu', n: '2', total: 15, people: '2' },
        { name: 'sale', grp: 'us', n: '1', total: 2, people: '1' },
      ],
    )
    assert.match(String(answer.data[0]?.['last']), /^\d{4}-\d\d-\d\d \d\d:00:00$/)
    assert.deepEqual(
      answer.meta.map(({ type }) => type),
      ['String', 'String', 'UInt64', 'Float64', 'UInt64', 'DateTime'],
    )
    assert.equal(answer.rows, 2)
  })

  test('a SQL query rounds times to intervals and applies operators in the right precedence', () => {
    const steps = querySql(
      `select toStartOfInterval(timestamp, INTERVAL '1' HOUR) as hour, count() from shop_events
       where blob1 = 'sale' and (double1 > 1 or blob2 = 'us') and not blob2 = 'old' group by hour order by hour desc`,
    )
    assert.deepEqual(
      steps.data.map((row) => row['count()']),
      ['2', '1'],
    )
    assert.equal(
      querySql(`SELECT avg(double1) / 2 AS half FROM shop_events WHERE double1 BETWEEN 5 AND 10`).data[0]?.[
        'half'
      ],
      3.75,
    )
    assert.equal(querySql(`SELECT * FROM shop_events LIMIT 1`).meta.length, 44)
  })

  test('a string literal of a query is never executed as SQL', () => {
    assert.equal(
      querySql(`SELECT count() AS n FROM shop_events WHERE blob2 = 'o''clock'`).data[0]?.['n'],
      '1',
    )
    assert.equal(
      querySql(`SELECT count() AS n FROM shop_events WHERE blob2 = 'o\\'clock'`).data[0]?.['n'],
      '1',
    )
    assert.equal(
      querySql(`SELECT count() AS n FROM shop_events WHERE blob2 = ''' OR 1=1 --'`).data[0]?.['n'],
      '0',
    )
  })

  test("a SQL query reads only the account's own data points, and no dataset exists before the first write", () => {
    assert.equal(
      queryPoints(telemetry, 'other', 'SELECT sum(double1) AS s FROM shop_events').data[0]?.['s'],
      1000,
    )
    assert.throws(
      () => queryPoints(telemetry, 'third', 'SELECT 1 FROM shop_events'),
      /Unknown table shop_events at position 14/,
    )
    assert.deepEqual(querySql('SHOW TABLES').data, [{ dataset: 'shop_events' }])
  })

  test('a SQL query that cannot be parsed is refused with the position of the error', () => {
    for (const [sql, place] of [
      ['SELECT blob21 FROM shop_events', /Unknown column blob21 at position 7/],
      ['SELECT blob1 FROM shop_events; DROP TABLE points', /at position 31/],
      ['SELECT blob1 FROM (SELECT 1)', /at position 18/],
      ['SELECT load_extension(blob1) FROM shop_events', /Unknown function load_extension at position 7/],
      ['SELECT account_id FROM shop_events', /Unknown column account_id at position 7/],
      [`SELECT blob1 FROM shop_events WHERE timestamp > NOW() - INTERVAL 'x' DAY`, /at position 65/],
      ['SELECT blob1 FROM shop_events WHERE sum(double1) > 1', /cannot be run/],
      ['SELECT §', /Unexpected character "§" at position 7/],
      [`SELECT ${'('.repeat(200)}1`, /too deep/],
    ] as const) {
      assert.throws(() => querySql(sql), place, sql)
    }
  })
})
