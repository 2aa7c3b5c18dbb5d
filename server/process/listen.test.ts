import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { afterEach, describe, test } from 'node:test'
import { listen, boundAddress, serviceUrl } from './listen.ts'

const respondHello = () => new Response('hello')

// On Linux all of 127.0.0.0/8 is this machine. Only a service that listens on every address is reachable at 127.0.0.2.
const OTHER = '127.0.0.2'

describe('listening', () => {
  let open: Server[] = []
  afterEach(() => {
    for (const server of open) server.close()
    open = []
  })
  const startServer = async (hosts: string[] | null, port = 0) => {
    open = await listen(respondHello, { hosts, port })
    return open
  }
  const reachesHost = (host: string, { port }: { port: number }) =>
    fetch(`http://${host}:${port}`).then(
      async (response) => (await response.text()) === 'hello',
      () => false,
    )

  test('a service listening on one address is reached there and nowhere else', async () => {
    const [server] = await startServer(['127.0.0.1'])
    assert.ok(server)
    assert.equal(await reachesHost('127.0.0.1', boundAddress(server)), true)
    assert.equal(await reachesHost(OTHER, boundAddress(server)), false)
  })

  test('a service listens on two addresses at the same port and skips an address that the machine does not have', async () => {
    const servers = await startServer(['127.0.0.1', OTHER, '192.0.2.1'])
    assert.deepEqual(
      servers.map((server) => boundAddress(server).address),
      ['127.0.0.1', OTHER],
    )
    const [first, second] = servers.map((server) => boundAddress(server).port)
    assert.equal(first, second)
    assert.equal(await reachesHost(OTHER, { port: second ?? 0 }), true)
  })

  test('a service listening on every address is reached at each of them', async () => {
    const [server] = await startServer(null)
    assert.ok(server)
    assert.equal(await reachesHost('127.0.0.1', boundAddress(server)), true)
    assert.equal(await reachesHost(OTHER, boundAddress(server)), true)
  })

  test('listening fails when another program uses the port on one of the addresses, and then no address stays open', async () => {
    const stranger = createServer().listen(0, OTHER)
    await once(stranger, 'listening')
    const { port } = stranger.address() as { port: number }
    await assert.rejects(listen(respondHello, { hosts: ['127.0.0.1', OTHER], port }), /Set SLIPWAY_PORT/)
    assert.equal(await reachesHost('127.0.0.1', { port }), false)
    stranger.close()
  })

  test('listening on an address that this machine does not have fails and names the setting', async () => {
    await assert.rejects(startServer(['192.0.2.1']), /no address 192\.0\.2\.1\. Set SLIPWAY_HOST/)
  })

  test('the URL of the service has the host localhost for loopback or when no address is set, and otherwise the configured address', async () => {
    const servers = await startServer(['127.0.0.1'])
    const { port } = servers[0] === undefined ? { port: 0 } : boundAddress(servers[0])
    assert.equal(serviceUrl(servers, null), `http://localhost:${port}`)
    assert.equal(serviceUrl(servers, ['127.0.0.1', '::1']), `http://localhost:${port}`)
    assert.equal(serviceUrl(servers, ['192.168.1.5']), `http://192.168.1.5:${port}`)
    assert.equal(serviceUrl(servers, ['fd00::5']), `http://[fd00::5]:${port}`)
  })
})
