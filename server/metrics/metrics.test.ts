import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Logger } from 'pino'
import { type GaugeSource, Metrics, type GaugeReading } from './metrics.ts'

const TOKEN = 'metrics-token'
/** A source of two gauges, which returns the given readings or throws the given error. */
const SOURCE: GaugeSource<GaugeReading[] | Error> = {
  gauges: {
    shop_orders: { help: 'Orders by state.', labels: ['state'] },
    shop_open: { help: 'Whether it is open.' },
  },
  read: (given) => {
    if (given instanceof Error) throw given
    return given
  },
}
const orders = (state: string, value: number) => ({ name: 'shop_orders', labels: { state }, value })
const open = (value: number) => ({ name: 'shop_open', value })

function openMetrics(sources = [SOURCE]) {
  const warnings: unknown[] = []
  const log = { warn: (about: unknown) => void warnings.push(about) } as unknown as Logger
  const metrics = new Metrics(TOKEN, sources)
  const linesOf = async (start: string, given: GaugeReading[] | Error = []) =>
    (await metrics.text(given, log)).split('\n').filter((line) => line.startsWith(start))
  return { metrics, linesOf, warnings }
}

describe('the metrics of a process', () => {
  test('metrics are served only to a request with the metrics token as a bearer token', () => {
    const { metrics } = openMetrics()
    for (const header of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`]) assert.equal(metrics.admits(header), true)
    const refused = [
      null,
      '',
      'Bearer',
      'Bearer ',
      TOKEN,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      `Bearer x${TOKEN}`,
      ` Bearer ${TOKEN}`,
      'Bearer other',
    ]
    for (const header of refused) assert.equal(metrics.admits(header), false, String(header))
  })

  test('metric gauges contain the values of the latest reading only', async () => {
    const { linesOf } = openMetrics()
    assert.deepEqual(await linesOf('shop_', [orders('new', 3), orders('paid', 4), open(1)]), [
      'shop_orders{state="new"} 3',
      'shop_orders{state="paid"} 4',
      'shop_open 1',
    ])
    assert.deepEqual(await linesOf('shop_', [orders('paid', 5), open(0)]), [
      'shop_orders{state="paid"} 5',
      'shop_open 0',
    ])
  })

  test('gauges that cannot be read are left out and not shown as zero, and the failure is counted and logged', async () => {
    const { linesOf, warnings } = openMetrics()
    await linesOf('shop_', [orders('new', 3), open(1)])
    const error = new Error('no database')
    assert.deepEqual(await linesOf('shop_', error), [])
    assert.deepEqual(warnings, [{ err: error }])
    assert.deepEqual(await linesOf('slipway_metrics_unread', [open(1)]), ['slipway_metrics_unread_total 1'])
    assert.deepEqual(await linesOf('shop_', [open(1)]), ['shop_open 1'])
  })

  test('a source of metric gauges that fails does not affect the gauges of other sources', async () => {
    const other: typeof SOURCE = {
      gauges: { other_value: { help: 'x' } },
      read: async () => [{ name: 'other_value', value: 7 }],
    }
    const { linesOf } = openMetrics([SOURCE, other])
    assert.deepEqual(await linesOf('other_', new Error('x')), ['other_value 7'])
  })

  test('a value for a gauge that its source does not declare throws an error', async () => {
    const { linesOf } = openMetrics()
    await assert.rejects(linesOf('shop_', [{ name: 'shop_secret', value: 1 }]), {
      message: 'the source of shop_secret does not declare it',
    })
  })

  test('requests, builds, deliveries and jobs are counted by their outcome', async () => {
    const { metrics, linesOf } = openMetrics()
    metrics.request({ method: 'GET', route: '/a', code: 200 }, 0.2)
    metrics.request({ method: 'GET', route: '/a', code: 200 }, 20)
    metrics.request({ method: 'GET', route: '/a', code: 500 }, 0.001)
    metrics.buildFinished('built')
    metrics.deliveryAttempted('dropped')
    metrics.deliveryAttempted('dropped')
    metrics.jobRun('build', 'failed')
    assert.deepEqual(await linesOf('slipway_http_requests_total'), [
      'slipway_http_requests_total{method="GET",route="/a",code="200"} 2',
      'slipway_http_requests_total{method="GET",route="/a",code="500"} 1',
    ])
    const seconds = await linesOf('slipway_http_request_seconds')
    const of = (line: string) =>
      seconds.filter((one) => one.includes(line)).map((one) => Number(one.split(' ').at(-1)))
    assert.deepEqual([of('le="0.25"'), of('le="10"'), of('_count'), of('_sum')], [[2], [2], [3], [20.201]])
    const counted = await Promise.all(
      ['slipway_builds', 'slipway_deliveries', 'slipway_jobs'].map((start) => linesOf(start)),
    )
    assert.deepEqual(counted.flat(), [
      'slipway_builds_finished_total{outcome="built"} 1',
      'slipway_deliveries_attempted_total{outcome="dropped"} 2',
      'slipway_jobs_run_total{job="build",outcome="failed"} 1',
    ])
  })
})
