import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { askApp, deployWorker, startTestWorld, type TestWorld, workerUpload } from './world.ts'

const STREAMS = `export default {
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (request.body !== null) await request.arrayBuffer()
    if (pathname === '/plain') return new Response('plain')
    const { readable, writable } = new TransformStream()
    const writer = writable.getWriter()
    const send = async () => {
      for (let n = 0; n < 50; n++) {
        await writer.write(new TextEncoder().encode('data: ' + n + '\\n\\n'))
        await scheduler.wait(5)
      }
      await writer.close()
    }
    send().catch(() => {})
    return new Response(readable, { headers: { 'content-type': 'text/event-stream' } })
  },
}`

let world: TestWorld
async function leaveEarly(text: string, afterMs: number): Promise<void> {
  const socket = connect(world.appsPort, '127.0.0.1')
  socket.on('error', () => {})
  const host = `streams.${world.account.subdomain}.localhost:${world.appsPort}`
  socket.write(text.replace('HOST', `Host: ${host}`).replaceAll('\n', '\r\n'))
  await sleep(afterMs)
  socket.destroy()
}

describe('clients that disconnect early', () => {
  before(async () => {
    world = await startTestWorld()
    await deployWorker(world, 'streams', workerUpload(STREAMS))
  })
  after(() => world.remove())

  /** Deploys the running app again. Returns how long it took until the new code responded. */
  async function deployLabelled(label: string): Promise<number> {
    assert.equal((await askApp(world, 'streams', '/plain')).text, 'plain')
    const startedAt = performance.now()
    await deployWorker(world, 'streams', workerUpload(`${STREAMS} // ${label}`))
    assert.equal((await askApp(world, 'streams', '/plain')).text, 'plain')
    return performance.now() - startedAt
  }

  test('clients that disconnect early or send garbage do not delay a later deploy', async () => {
    const plainMs = await deployLabelled('before')
    const requests = [
      'GET / HTTP/1.1\nHOST\n\n',
      'POST / HTTP/1.1\nHOST\nContent-Length: 1000\n\nhalf',
      'POST / HTTP/1.1\nHOST\nTransfer-Encoding: chunked\n\n5\nhello\n',
      'GET / HTTP/1.1\nHOST\nConnection: Upgrade\nUpgrade: websocket\n\n',
      'GET / HTTP/1.1\nHOST\nExpect: 100-continue\nContent-Length: 5\n\n',
      'nonsense\n\n',
      'CONNECT 127.0.0.1:22 HTTP/1.1\nHOST\n\n',
    ]
    const rounds = Array.from({ length: 6 }, (_, round) =>
      requests.map((text) => leaveEarly(text, round * 8)),
    )
    await Promise.all(rounds.flat())
    // A deploy waits up to five seconds for open requests. The deploy would also wait for a request that is still counted after its client
    // has gone.
    const tookMs = await deployLabelled('after')
    assert.ok(tookMs < plainMs + 4900, 'the deploy waited for requests that are gone')
  })

  test('an event stream of an app reaches the client completely', async () => {
    const { status, text } = await askApp(world, 'streams', '/events')
    assert.equal(status, 200)
    assert.equal(text.split('\n\n').length, 51)
  })

  test('a request body over 100 MB is refused by the local cloud before it is read', async () => {
    const { status } = await askApp(world, 'streams', '/plain', {
      'content-length': String(200 * 1024 * 1024),
    })
    assert.equal(status, 413)
  })
})
