import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, mock, test } from 'node:test'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import { timers as pageTimers } from './client.ts'

const { timers } = await importInWorkerd(() => import('./server.ts'))

describe('setting a timer', () => {
  let sent: unknown[]
  beforeEach(() => {
    sent = []
    enableCapabilities('schedule')
    workerEnv['LIVE'] = {
      timers: async (_owner: object, _kind: string, { at }: { at: unknown }) => {
        sent.push(at)
        return { ok: true, value: { id: 't1' } }
      },
    }
    mock.method(globalThis, 'fetch', async (_address: string, { body }: RequestInit) => {
      sent.push((JSON.parse(String(body)) as { at: unknown }).at)
      return Response.json({ ok: true, data: { id: 't1' } })
    })
  })
  afterEach(() => mock.restoreAll())
  after(() => {
    enableCapabilities()
    delete workerEnv['LIVE']
  })

  test('a timer that is set to an invalid Date is sent with null, which the app refuses with an error that names the field', async () => {
    const [date, wrong] = [new Date('2026-11-20T10:00:00Z'), new Date('tomorrow')]
    for (const at of [date, wrong]) {
      await timers.set(at, 'remind', null, { userId: 'u_ada' })
      await pageTimers.set(at, 'remind')
    }
    const text = '2026-11-20T10:00:00.000Z'
    assert.deepEqual(sent, [text, text, null, null])
  })
})
