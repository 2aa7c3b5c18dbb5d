import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import type * as Envelope from '../kernel/worker/envelope.ts'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import type { ServerMeter } from './server.ts'
import type { Allowance } from './types.ts'

type AnyKey = Parameters<ServerMeter['consume']>[0]

describe('the meters in the code of an app', () => {
  let meter: ServerMeter
  let fail: typeof Envelope.errorResponse
  let asked: unknown[]
  let allowance: Allowance
  const exports = 'exports' as AnyKey

  before(async () => {
    const load = () => Promise.all([import('./server.ts'), import('../kernel/worker/envelope.ts')])
    const [server, envelope] = await importInWorkerd(load)
    meter = server.meter
    fail = envelope.errorResponse
  })
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-20T23:58:30.500Z') })
    enableCapabilities('meter')
    asked = []
    allowance = { ok: true, remaining: 3, resetsAt: '2026-11-21T00:00:00.000Z' }
    workerEnv['LIVE'] = {
      meter: async (_hash: string, kind: string, ask: object) => {
        asked.push([kind, ask])
        return { ok: true, value: allowance }
      },
    }
  })
  afterEach(() => mock.timers.reset())
  after(() => {
    enableCapabilities()
    delete workerEnv['LIVE']
  })

  test('consume and require spend one unit of a meter by default, and pass on the id of the spend', async () => {
    assert.deepEqual(await meter.consume(exports, 'u_1'), allowance)
    await meter.require(exports, 'u_1', 5, { id: 'o1' })
    await meter.peek(exports, 'app')
    await meter.refund('o1')
    assert.deepEqual(asked, [
      ['consume', { key: 'exports', subject: 'u_1', n: 1, id: null }],
      ['consume', { key: 'exports', subject: 'u_1', n: 5, id: 'o1' }],
      ['peek', { key: 'exports', subject: 'app', n: 1 }],
      ['refund', { id: 'o1' }],
    ])
  })

  test('for a used-up meter, consume returns a refusal, and require throws an error that says when units are available again', async () => {
    allowance = { ok: false, remaining: 0, resetsAt: '2026-11-21T00:00:00.000Z' }
    assert.equal((await meter.consume(exports, 'u_1')).ok, false)
    await assert.rejects(meter.require(exports, 'u_1'), {
      code: 'rate_limited',
      message: 'The limit is reached. More is available after 2026-11-21T00:00:00.000Z.',
      retryAfterSeconds: 90,
    })
  })

  test('the response for a used-up meter has a `Retry-After` header, except for a meter that never has more units', async () => {
    const responseFor = async (resetsAt: string | null) => {
      allowance = { ok: false, remaining: 0, resetsAt }
      const error: unknown = await meter.require(exports, 'u_1').catch((refusal: unknown) => refusal)
      const response = fail(error, '/api/export')
      return [response.status, response.headers.get('retry-after')]
    }
    assert.deepEqual(await responseFor('2026-11-21T00:00:00.000Z'), [429, '90'])
    assert.deepEqual(
      await responseFor('2026-11-20T23:58:30.000Z'),
      [429, '1'],
      'a window that has just ended',
    )
    assert.deepEqual(await responseFor(null), [429, null])
  })
})
