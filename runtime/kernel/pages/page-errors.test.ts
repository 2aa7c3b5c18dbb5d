import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../../data/partition/objects.test.fixture.ts'
import type * as PageErrorsModule from './page-errors.ts'
import { importInWorkerd } from '../objects/workerd.test.fixture.ts'

const NOW = Date.parse('2026-11-20T10:30:00.000Z')
let loads = 0

describe('the errors that the pages of an app report', () => {
  let logPageError: typeof PageErrorsModule.logPageError
  let logged: { message: string; route: string }[]
  beforeEach(async () => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    logged = recordErrors()
    // The module counts reports in memory, so each test loads a new copy.
    const load = () => import(`./page-errors.ts?app=${++loads}`) as Promise<typeof PageErrorsModule>
    ;({ logPageError } = await importInWorkerd(load))
  })
  afterEach(() => {
    mock.restoreAll()
    mock.timers.reset()
  })

  const report = (body: unknown, headers: Record<string, string> = {}) =>
    logPageError(
      new Request('https://app.test/_app/error', {
        method: 'POST',
        headers: { origin: 'https://app.test', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    )
  const from = (address: string) => ({ 'cf-connecting-ip': address })

  test('an error is logged with the path of its page, without the query and fragment, which may contain a token', async () => {
    for (const path of ['/reset-password#secret', '/teams?invite=secret', '/plants'])
      await report({ message: 'It broke.', stack: 'at a', path })
    assert.deepEqual(
      logged.map(({ message, route }) => [message, route]),
      [
        ['It broke.', 'page /reset-password'],
        ['It broke.', 'page /teams'],
        ['It broke.', 'page /plants'],
      ],
    )
  })

  test('long texts in an error report are cut, and values that are not text count as missing', async () => {
    await report({ message: 'm'.repeat(5000), stack: { a: 1 }, path: ['x'] })
    await report({ message: 'short', path: `/${'p'.repeat(5000)}` })
    assert.deepEqual(
      logged.map(({ message, route }) => [message.length, route.length]),
      [
        [1000, 'page '.length],
        ['short'.length, 'page '.length + 200],
      ],
    )
  })

  test('an error report that is malformed or larger than 16 KiB is refused, and nothing is logged', async () => {
    for (const body of ['', 'text', '[]', 'null', {}, { message: '' }, { message: 7 }])
      await assert.rejects(report(body), { code: 'invalid_request' })
    await assert.rejects(report({ message: 'x'.repeat(17_000) }), {
      code: 'invalid_request',
      message: 'body: is larger than 16 KiB',
    })
    assert.deepEqual(logged, [])
  })

  test('only a page may report errors: a client that sends no `Origin` header is refused', async () => {
    const request = new Request('https://app.test/_app/error', { method: 'POST', body: '{"message":"x"}' })
    await assert.rejects(logPageError(request), { code: 'forbidden' })
    assert.deepEqual(logged, [])
  })

  test('one network may report ten errors a minute, counted over its whole IPv6 range, without affecting other networks', async () => {
    const addressOf = (n: number) => from(`2001:db8:0:1::${n.toString(16)}`)
    for (let n = 0; n < 10; n++) await report({ message: 'x' }, addressOf(n))
    await assert.rejects(report({ message: 'x' }, addressOf(11)), { code: 'rate_limited' })
    await report({ message: 'x' }, from('2001:db8:0:2::1'))
    mock.timers.tick(60_000)
    await report({ message: 'x' }, addressOf(12))
    assert.equal(logged.length, 12)
  })

  test('all networks together may report sixty errors a minute', async () => {
    for (let n = 0; n < 60; n++) await report({ message: 'x' }, from(`203.0.113.${n}`))
    await assert.rejects(report({ message: 'x' }, from('198.51.100.1')), {
      code: 'rate_limited',
      message: 'Too many errors were reported. Try again in 60 s.',
      retryAfterSeconds: 60,
    })
    mock.timers.tick(60_000)
    await report({ message: 'x' }, from('198.51.100.1'))
    assert.equal(logged.length, 61)
  })

  test('error reports refused by the limit per network do not use up the limit of all networks together', async () => {
    for (let n = 0; n < 200; n++) await report({ message: 'x' }, from('203.0.113.1')).catch(() => {})
    for (let n = 0; n < 50; n++) await report({ message: 'x' }, from(`198.51.100.${n}`))
    assert.equal(logged.length, 60)
  })
})
