import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'

const { live } = await importInWorkerd(() => import('./server.ts'))

describe('messages that server code sends to a room', () => {
  let sent: unknown[]
  beforeEach(() => {
    sent = []
    enableCapabilities('live')
    workerEnv['LIVE'] = {
      rooms: async (_hash: string, _kind: string, { data }: { data: unknown }) => {
        sent.push(data)
        return { ok: true, value: null }
      },
    }
  })
  after(() => {
    enableCapabilities()
    delete workerEnv['LIVE']
  })

  test('a message that server code broadcasts to a room has at most 512 KiB, and a larger one is refused with an error that names the field', async () => {
    const most = 'é'.repeat(256 * 1024 - 1)
    await live.broadcast('chat', '1', 'say', most)
    await live.broadcast('chat', '1', 'say', undefined)
    await assert.rejects(live.broadcast('chat', '1', 'say', `${most}x`), {
      code: 'invalid_request',
      field: 'data',
    })
    assert.deepEqual(sent, [most, undefined])
  })
})
