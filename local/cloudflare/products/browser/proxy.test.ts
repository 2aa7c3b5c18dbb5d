import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { registerHooks } from 'node:module'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { createProxy } from './proxy.ts'

/**
 * A module to import instead of `public-addresses.ts`, which queries the DNS. The query in `MODULE` makes Node load a second copy of
 * `proxy.ts`, so that other tests keep the real import.
 */
const STAND_IN = `data:text/javascript,${encodeURIComponent(`
  export const publicAddress = (host) => globalThis.lookUpTestAddress(host)`)}`
const MODULE = './proxy.ts?without-dns'

describe('the proxy of the browser', () => {
  const servers: { close(): void }[] = []
  const sockets: Socket[] = []
  let target: number
  /** What the target of the requests has received, by connection. */
  let received: string[]
  /** What the target sends on each connection; null ends the connection. */
  let answer: string | null

  const listen = async (server: Server): Promise<number> => {
    servers.push(server)
    server.on('connection', (socket) => sockets.push(socket.on('error', () => {})))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const startProxy = (options: { appsPort?: number; allowed?: string[] } = {}) =>
    listen(createProxy({ appsPort: 1, allowed: [], ...options }))

  let connections: number
  beforeEach(async () => {
    received = []
    connections = 0
    answer = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello'
    target = await listen(
      createServer((socket) => {
        connections++
        socket.on('data', (data) => {
          received.push(data.toString())
          if (answer === null) socket.destroy()
          else socket.end(answer)
        })
      }),
    )
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) server.close()
  })

  /** Sends a request through the proxy. Returns status and body, or the code of the error. */
  const get = async (proxy: number, path: string, headers: Record<string, string> = {}) => {
    try {
      const sent = request({ port: proxy, path, headers }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const chunks = await response.toArray()
      return [response.statusCode, Buffer.concat(chunks).toString()]
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    }
  }
  const openTunnel = async (proxy: number, to: string) => {
    const socket = connect(proxy, '127.0.0.1')
    sockets.push(socket.on('error', () => {}))
    socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`)
    const [data] = (await once(socket, 'data')) as [Buffer]
    return { socket, head: data.toString().split('\r\n')[0] }
  }
  const REFUSED = [403, 'This address cannot be reached from here.']

  test('a rendered page reaches local apps at the apps port under any host name below localhost', async () => {
    const proxy = await startProxy({ appsPort: target })
    const headers = { host: 'another', 'proxy-connection': 'keep-alive' }
    assert.deepEqual(await get(proxy, `http://shop.ACME.localhost:${target}/a?b=1`, headers), [200, 'hello'])
    const [line, ...rest] = received.join('').split('\r\n')
    assert.deepEqual(
      [line, rest.filter((one) => /^(?:host|proxy-)/i.test(one))],
      ['GET /a?b=1 HTTP/1.1', [`host: shop.acme.localhost:${target}`]],
    )
  })

  test('a rendered page reaches no private address, no other port of this machine and nothing but http', async () => {
    const proxy = await startProxy()
    for (const address of [
      `http://127.0.0.1:${target}/`,
      `http://[::1]:${target}/`,
      `http://[::ffff:127.0.0.1]:${target}/`,
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
      `https://127.0.0.1:${target}/`,
      `file://127.0.0.1/etc/passwd`,
      '/only-a-path',
    ])
      assert.deepEqual(await get(proxy, address), REFUSED, address)
    assert.deepEqual(received, [])
  })

  test('a rendered page cannot reach the apps port at localhost itself or 127.0.0.1', async () => {
    const proxy = await startProxy({ appsPort: target })
    for (const address of [`http://127.0.0.1:${target}/`, `http://localhost:${target}/`])
      assert.deepEqual(await get(proxy, address), REFUSED)
  })

  test('a rendered page reaches a private address that the operator allowed, at the allowed port only', async () => {
    const proxy = await startProxy({ allowed: [`127.0.0.1:${target}`, '127.0.0.1:80'] })
    assert.deepEqual(await get(proxy, `http://127.0.0.1:${target}/`), [200, 'hello'])
    assert.deepEqual(await get(proxy, `http://127.0.0.1:${target + 1}/`), REFUSED)
  })

  test("the browser's proxy returns 502 when the target closes the connection without a response", async () => {
    const proxy = await startProxy({ allowed: [`127.0.0.1:${target}`] })
    answer = null
    assert.deepEqual(await get(proxy, `http://127.0.0.1:${target}/`), [502, ''])
  })

  test("when the target's response is cut off, the browser's proxy breaks the page's connection instead of leaving it open", async () => {
    const proxy = await startProxy({ allowed: [`127.0.0.1:${target}`] })
    answer = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhel'
    assert.equal(await get(proxy, `http://127.0.0.1:${target}/`), 'ECONNRESET')
  })

  test("the browser's proxy returns 502 for a response with a status below 200 or an invalid header", async () => {
    const proxy = await startProxy({ allowed: [`127.0.0.1:${target}`] })
    for (const head of [
      '001 Odd',
      '101 Switching Protocols',
      '200 OK\r\nX-Odd: a\x01b',
      '200 OK\r\nX Odd: a',
    ]) {
      answer = `HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`
      assert.deepEqual(await get(proxy, `http://127.0.0.1:${target}/`), [502, ''], head)
    }
  })

  test("a tunnel of the browser's proxy forwards bytes in both directions until the target ends the connection", async () => {
    const proxy = await startProxy({ allowed: [`127.0.0.1:${target}`] })
    answer = 'welcome'
    const { socket, head } = await openTunnel(proxy, `127.0.0.1:${target}`)
    assert.equal(head, 'HTTP/1.1 200 OK')
    socket.write('hello')
    const [data] = (await once(socket, 'data')) as [Buffer]
    await once(socket, 'close')
    assert.deepEqual([data.toString(), received], ['welcome', ['hello']])
  })

  test('a proxy tunnel to a private address gets status 403, and one whose target refuses the connection is closed', async () => {
    const free = await listen(createServer())
    servers.pop()?.close()
    const proxy = await startProxy({ allowed: [`127.0.0.1:${free}`] })
    for (const to of [`127.0.0.1:${target}`, `[::1]:${target}`, '10.0.0.1:443'])
      assert.equal((await openTunnel(proxy, to)).head, 'HTTP/1.1 403 Forbidden', to)
    const socket = connect(proxy, '127.0.0.1')
    sockets.push(socket)
    socket.resume().write(`CONNECT 127.0.0.1:${free} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(socket, 'close')
    assert.deepEqual([socket.bytesRead, received], [0, []])
  })

  describe('during the DNS lookup', () => {
    let proxy: Server
    let lookup: PromiseWithResolvers<string | null>
    let asked: PromiseWithResolvers<void>
    const hooks = registerHooks({
      resolve: (name, context, next) =>
        name.endsWith('/public-addresses.ts') && context.parentURL?.includes('without-dns') === true
          ? { url: STAND_IN, shortCircuit: true }
          : next(name, context),
    })
    beforeEach(async () => {
      lookup = Promise.withResolvers()
      asked = Promise.withResolvers()
      Reflect.set(globalThis, 'lookUpTestAddress', () => {
        asked.resolve()
        return lookup.promise
      })
      const { createProxy: create } = (await import(MODULE)) as { createProxy: typeof createProxy }
      proxy = create({ appsPort: 1, allowed: [] })
      await listen(proxy)
    })
    after(() => {
      hooks.deregister()
      Reflect.deleteProperty(globalThis, 'lookUpTestAddress')
    })

    test("the browser's proxy sends no request when the page closes its connection during the DNS lookup", async () => {
      const client = connect((proxy.address() as AddressInfo).port, '127.0.0.1')
      sockets.push(client)
      const [accepted] = (await once(proxy, 'connection')) as [Socket]
      client.write(`GET http://slow.test:${target}/ HTTP/1.1\r\nHost: slow.test\r\n\r\n`)
      await asked.promise
      client.destroy()
      await once(accepted, 'close')
      lookup.resolve('127.0.0.1')
      // If the request of the first client had been sent, the target would have counted its connection before this one.
      const other = await startProxy({ allowed: [`127.0.0.1:${target}`] })
      assert.deepEqual(await get(other, `http://127.0.0.1:${target}/`), [200, 'hello'])
      assert.equal(connections, 1)
    })
  })
})
