import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { toLogEvents, type TraceItem } from './log-events.ts'
import { type LogEvent, Telemetry } from './telemetry.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

function makeItem(change: Partial<TraceItem> = {}): TraceItem {
  return {
    outcome: 'ok',
    truncated: false,
    executionModel: 'stateless',
    eventTimestamp: 1000,
    event: {
      request: { url: 'http://shop.test/a?b=1', method: 'GET', headers: {} },
      response: { status: 200 },
    },
    logs: [],
    exceptions: [],
    ...change,
  }
}
const logLine = (message: unknown[], level = 'error') => ({ message, level, timestamp: 1001 })
const firstEvent = (events: LogEvent[]): LogEvent => {
  assert.ok(events[0] !== undefined)
  return events[0]
}

describe('telemetry', () => {
  test('the requests of a worker within one minute are counted in one telemetry row, across batches and restarts', () => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-telemetry-'))
    try {
      const at = Date.now()
      for (let start = 0; start < 2; start++) {
        const telemetry = new Telemetry(join(dir, 'telemetry.db'))
        telemetry.countRequest('acme', 'shop', at, 5)
        telemetry.flush()
        telemetry.countRequest('acme', 'shop', at, 5)
        telemetry.countError('acme', 'shop', at)
        telemetry.close()
      }
      const telemetry = new Telemetry(join(dir, 'telemetry.db'))
      const rows = telemetry.all<object>('SELECT requests, errors, wall_ms FROM invocations')
      telemetry.close()
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [{ requests: 4, errors: 2, wall_ms: 20 }],
      )
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  test('telemetry that a locked file delayed is written once, by a later query', () => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-telemetry-'))
    const path = join(dir, 'telemetry.db')
    const telemetry = new Telemetry(path)
    const other = new DatabaseSync(path)
    try {
      const count = () => {
        telemetry.countRequest('acme', 'shop', 1000, 5)
        telemetry.addEvents(toLogEvents('acme', 'shop', makeItem()))
        telemetry.addPoints([
          { accountId: 'acme', dataset: 'views', at: 1000, index: '', blobs: [], doubles: [1] },
        ])
      }
      count()
      other.exec('BEGIN IMMEDIATE')
      assert.throws(() => telemetry.flush(), /locked/)
      count()
      assert.throws(() => telemetry.all('SELECT 1'), /locked/)
      other.exec('ROLLBACK')
      const read = (sql: string) => Object.values(telemetry.all<object>(sql)[0] ?? {})
      assert.deepEqual(read('SELECT sum(requests), sum(wall_ms), count(*) FROM invocations'), [2, 10, 1])
      assert.deepEqual(read('SELECT count(*) FROM events'), [2])
      assert.deepEqual(read('SELECT count(*) FROM points'), [2])
    } finally {
      other.close()
      telemetry.close()
      rmSync(dir, { recursive: true, force: true })
    }
  })

  test('a telemetry event that can never be written does not prevent later events from being stored', () => {
    const telemetry = new Telemetry(':memory:')
    const endless: Record<string, unknown> = {}
    endless['self'] = endless
    telemetry.addEvents([{ ...firstEvent(toLogEvents('acme', 'shop', makeItem())), source: endless }])
    assert.throws(() => telemetry.flush())
    telemetry.addEvents(toLogEvents('acme', 'shop', makeItem()))
    assert.equal(telemetry.all('SELECT 1 FROM events').length, 1)
    telemetry.close()
  })

  test('each account keeps only its newest log events, and events older than a month are deleted', () => {
    const telemetry = new Telemetry(':memory:', { rowsPerAccount: 10 })
    const addPoints = (accountId: string, count: number, at: number) => {
      for (let i = 0; i < count; i++) {
        const [event] = toLogEvents(accountId, 'shop', makeItem({ eventTimestamp: at + i }))
        assert.ok(event !== undefined)
        telemetry.addEvents([event])
        telemetry.flush()
      }
    }
    const now = Date.now()
    const countPoints = () =>
      telemetry
        .all<{ account_id: string; n: number; oldest: number }>(
          'SELECT account_id, count(*) AS n, min(at) AS oldest FROM events GROUP BY 1 ORDER BY 1',
        )
        .map(({ account_id: account, n, oldest }) => [account, n, oldest])
    addPoints('other', 3, now - 40 * DAY)
    addPoints('acme', 40, now - HOUR)
    assert.deepEqual(countPoints(), [
      ['acme', 10, now - HOUR + 30],
      ['other', 3, now - 40 * DAY],
    ])
    telemetry.sweep(now)
    assert.deepEqual(
      countPoints().map(([account]) => account),
      ['acme'],
    )
    telemetry.close()
  })

  test('a log line that is a JSON object is stored with its fields, and any other line as text', () => {
    const json = JSON.stringify({ kind: 'error', message: 'dry', route: '/a' })
    const known = firstEvent(toLogEvents('acme', 'shop', makeItem({ logs: [logLine([json])] })))
    assert.deepEqual([known.message, known.source], ['dry', JSON.parse(json)])
    assert.equal(known.trigger, 'GET /a')
    for (const [message, source] of [
      [['{ no json'], '{ no json'],
      [['two', { parts: 1 }], 'two {"parts":1}'],
      [['["a list"]'], '["a list"]'],
      [[undefined], 'undefined'],
    ] as const) {
      assert.equal(
        firstEvent(toLogEvents('acme', 'shop', makeItem({ logs: [logLine([...message])] }))).source,
        source,
      )
    }
    const own = firstEvent(
      toLogEvents('acme', 'shop', makeItem({ logs: [logLine([{ message: { not: 'a text' } }])] })),
    )
    assert.equal(own.message, '{"message":{"not":"a text"}}')
  })

  test('exceptions are recorded as errors, and errors that differ only in numbers share a fingerprint', () => {
    const eventOfError = (message: string) =>
      firstEvent(
        toLogEvents(
          'acme',
          'shop',
          makeItem({ outcome: 'exception', exceptions: [{ name: 'Error', message, timestamp: 5 }] }),
        ),
      )
    assert.deepEqual([eventOfError('row 17').level, eventOfError('row 17').error], ['error', 'Error: row 17'])
    assert.equal(eventOfError('row 17').fingerprint, eventOfError('row 18').fingerprint)
    assert.notEqual(eventOfError('row 17').fingerprint, eventOfError('no row').fingerprint)
    const timer = toLogEvents('acme', 'shop', makeItem({ event: null, logs: [logLine(['x'])] }))
    assert.deepEqual([firstEvent(timer).trigger, firstEvent(timer).eventType], [null, 'unknown'])
  })
})
