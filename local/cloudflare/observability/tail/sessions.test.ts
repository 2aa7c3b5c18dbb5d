import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { TraceItem } from '../telemetry/log-events.ts'
import { Telemetry } from '../telemetry/telemetry.ts'
import { passesFilters, TailFilters, withOwnAddress } from './filters.ts'
import { type TailReport, TailSessions } from './sessions.ts'

const item: TraceItem = {
  outcome: 'exception',
  truncated: false,
  executionModel: 'stateless',
  eventTimestamp: Date.now(),
  event: {
    request: {
      url: 'http://shop.test/',
      method: 'POST',
      headers: { 'cf-connecting-ip': '1.2.3.4', 'x-a': 'yes' },
    },
  },
  logs: [{ message: ['watering', { plant: 'fern' }], level: 'log', timestamp: 1 }],
  exceptions: [{ name: 'Error', message: 'dry', timestamp: 1 }],
}
const makeReport = (change: Partial<TailReport> = {}): TailReport => ({
  script: 'shop',
  isObserved: false,
  item,
  ...change,
})

describe('tail sessions', () => {
  let telemetry: Telemetry
  let tails: TailSessions
  beforeEach(() => {
    telemetry = new Telemetry(':memory:')
    tails = new TailSessions(telemetry)
  })
  afterEach(() => telemetry.close())

  const openSession = (accountId: string, script: string) => {
    const heard: { scriptName: string }[] = []
    const session = tails.create({ accountId, script, filters: [] })
    session.send = (text) => void heard.push(JSON.parse(text) as { scriptName: string })
    return { session, heard }
  }

  test('until its end, a tail session receives events of its own worker and account only', () => {
    const mine = openSession('acme', 'shop')
    const other = openSession('acme', 'other')
    const foreign = openSession('foreign', 'shop')
    tails.receive('acme', [makeReport()])
    assert.deepEqual(
      [mine, other, foreign].map(({ heard }) => heard.length),
      [1, 0, 0],
    )
    assert.equal(mine.heard[0]?.scriptName, 'shop')
    assert.deepEqual(tails.listening('acme').sort(), ['other', 'shop'])
    tails.remove(mine.session.id)
    tails.receive('acme', [makeReport()])
    assert.equal(mine.heard.length, 1)
    assert.equal(tails.findByKey(mine.session.key), null)
  })

  test('log lines are stored only for workers with observability enabled, and exceptions are counted for all workers', () => {
    tails.receive('acme', [makeReport(), makeReport({ script: 'watched', isObserved: true })])
    const scripts = telemetry.all<{ script: string }>('SELECT DISTINCT script FROM events')
    assert.deepEqual(
      scripts.map(({ script }) => script),
      ['watched'],
    )
    assert.equal(telemetry.all<{ n: number }>('SELECT sum(errors) AS n FROM invocations')[0]?.n, 2)
  })

  test('the address "self" in a tail filter is replaced by the address of the client that creates the tail session', () => {
    const filters = [{ client_ip: ['self', '5.6.7.8'] }, { method: ['GET'] }]
    assert.deepEqual(withOwnAddress(filters, '::ffff:1.2.3.4'), [
      { client_ip: ['1.2.3.4', '5.6.7.8'] },
      { method: ['GET'] },
    ])
    assert.equal(passesFilters(item, withOwnAddress([{ client_ip: ['self'] }], '1.2.3.4')), true)
    // Without a client address, `self` matches no request instead of every request.
    assert.equal(passesFilters(item, withOwnAddress([{ client_ip: ['self'] }], undefined)), false)
  })

  test('a tail session gets an invocation only when all of its filters match', () => {
    for (const [filter, isHeard] of [
      [{ outcome: ['exception'] }, true],
      [{ outcome: ['ok'] }, false],
      [{ method: ['post'] }, true],
      [{ header: { key: 'X-A', query: 'ye' } }, true],
      [{ header: { key: 'x-b' } }, false],
      [{ client_ip: ['1.2.3.4'] }, true],
      [{ query: 'fern' }, true],
      [{ query: 'dry' }, true],
      [{ query: 'cactus' }, false],
      [{ sampling_rate: 0.4 }, false],
    ] as const) {
      const { filters } = TailFilters.parse({ filters: [filter] })
      assert.equal(passesFilters(item, filters, 0.5), isHeard, JSON.stringify(filter))
    }
    const both = TailFilters.parse({ filters: [{ query: 'fern' }, { outcome: ['ok'] }] })
    assert.equal(passesFilters(item, both.filters), false)
    assert.equal(TailFilters.safeParse({ filters: [{ unknown: 1 }] }).success, false)
  })
})
