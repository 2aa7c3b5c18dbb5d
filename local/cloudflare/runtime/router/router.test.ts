import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'
import { findScript, updateScript } from '../../store/scripts.ts'
import type { Script } from '../../types.ts'
import type { Apps } from '../apps.ts'
import { openWorkerGroups } from '../testing.ts'
import { createRouter } from './router.ts'
import { AppUnavailableError, WaitRefusedError } from '../../workerd/groups.ts'

const HOST = 'shop.acme.localhost'

describe('the router of requests to the host names of apps', () => {
  let cloud: TestCloud
  let groups: Awaited<ReturnType<typeof openWorkerGroups>>
  let router: Server
  let script: Script
  let clients: Socket[]
  beforeEach(async () => {
    cloud = testCloud()
    groups = await openWorkerGroups()
    await cloud.call(
      'PUT',
      '/A/workers/scripts/shop',
      uploadForm('export default { fetch() {} }', { observability: { enabled: true } }),
    )
    script = findScript(cloud.store, cloud.accountId, 'shop') ?? assert.fail('no script')
    updateScript(cloud.store, { ...script, isOnSubdomain: true })
    const { store, telemetry, tails, log, now, apps } = cloud
    router = createRouter({
      store,
      apps: { ...apps, group: groups.apps.group } as unknown as Apps,
      telemetry,
      tails,
      trustedProxies: [],
      log,
      now,
    })
    clients = []
    await once(router.listen(0, '127.0.0.1'), 'listening')
  })
  afterEach(() => {
    for (const client of clients) client.destroy()
    router.closeAllConnections()
    router.close()
    groups.close()
    cloud.close()
  })

  const group = () => groups.group(script.groupId)
  const port = () => (router.address() as AddressInfo).port
  /** Sends a request. Returns status, text and, if present, the header `Retry-After`. After a failure, returns the error's code. */
  const send = async (path = '/', { method = 'GET', host = HOST, body = '' } = {}) => {
    const headers = { host, ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }) }
    const sent = request({ port: port(), path, method, headers, agent: false }).end(body)
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const text = Buffer.concat(await response.toArray()).toString()
      const retryAfter = response.headers['retry-after']
      return [response.statusCode, text, ...(retryAfter === undefined ? [] : [retryAfter])]
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    }
  }
  /** Requests a WebSocket. Returns the first line of the response. */
  const upgrade = async (host = HOST, path = '/') => {
    const client = connect(port(), '127.0.0.1')
    clients.push(client.on('error', () => {}))
    client.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    const [data] = (await once(client, 'data')) as [Buffer]
    return { client, line: data.toString().split('\r\n')[0] }
  }
  const countRequests = () => {
    cloud.telemetry.flush()
    const [row] = cloud.telemetry.all<{ n: number }>(
      'SELECT coalesce(sum(requests), 0) AS n FROM invocations',
    )
    return row?.n
  }
  const answer = (text: string, init?: ResponseInit) => {
    groups.answer = () => new Response(text, init)
  }
  /** Breaks the connection of the first `count` requests, as when the process ends. */
  const failFirst = (count: number, onFailure = () => {}) => {
    let sent = 0
    groups.answer = () => {
      if (sent++ >= count) return new Response('hello')
      onFailure()
      return null
    }
  }
  const overrun = (outcome: 'exceededCpu' | 'exceededMemory', causedBefore: number) => () => {
    group().overruns++
    group().lastOverrun = { outcome, reason: 'it exceeded its limit', causedBefore }
  }
  const UNKNOWN = [404, 'There is no app at this address.\n']
  const NO_ANSWER = [502, 'The app did not respond.\n']

  test('a request reaches the worker of its host name, in upper or lower case and with any port, and is counted once', async () => {
    answer('hello', { status: 201 })
    assert.deepEqual(await send('/a?b=1', { host: 'SHOP.acme.localhost:8080', method: 'POST', body: 'x' }), [
      201,
      'hello',
    ])
    assert.deepEqual(groups.requests, [{ method: 'POST', path: '/a?b=1', body: 'x' }])
    assert.deepEqual([group().entered, countRequests()], [0, 1])
  })

  test('a host name without a worker that is enabled on the subdomain returns 404', async () => {
    updateScript(cloud.store, script)
    for (const host of [
      HOST,
      'none.acme.localhost',
      'shop.other.localhost',
      'x.shop.acme.localhost',
      'localhost',
      '',
    ])
      assert.deepEqual(await send('/', { host }), UNKNOWN, host)
    assert.deepEqual(groups.calls, [])
  })

  test('a host name that returned 404 is served once its worker is uploaded and enabled on the subdomain', async () => {
    const other = { host: 'blog.acme.localhost' }
    assert.deepEqual(await send('/', other), UNKNOWN)
    await cloud.call('PUT', '/A/workers/scripts/blog', uploadForm('export default { fetch() {} }'))
    await cloud.call('POST', '/A/workers/scripts/blog/subdomain', { enabled: true })
    answer('blog')
    assert.deepEqual(await send('/', other), [200, 'blog'])
  })

  test('a path below /cdn-cgi reaches no worker, even when it is encoded or has dot segments', async () => {
    for (const path of ['/cdn-cgi/mf/scheduled', '/%63dn-cgi/x', '//cdn-cgi', '/a/../cdn-cgi/x'])
      assert.deepEqual(await send(path), [404, 'Not found.'], path)
    const [status, text] = (await send('/cdn-cgi/trace')) as [number, string]
    assert.deepEqual([status, text.split('\n')[0]], [200, `h=${HOST}`])
    assert.deepEqual([(await upgrade(HOST, '/cdn-cgi/x')).line, groups.calls], ['HTTP/1.1 404 Not Found', []])
  })

  test('a GET or HEAD request is sent again when the app process ends, but at most once', async () => {
    for (const method of ['GET', 'HEAD']) {
      failFirst(1)
      assert.deepEqual(await send('/', { method }), [200, method === 'GET' ? 'hello' : ''])
    }
    failFirst(2)
    assert.deepEqual([await send(), group().entered], [NO_ANSWER, 0])
    assert.equal(groups.requests.length, 6)
  })

  test('a request with a body or a method other than GET or HEAD is not sent again when the app process ends', async () => {
    for (const options of [{ method: 'POST' }, { method: 'PUT', body: 'x' }, { method: 'GET', body: 'x' }]) {
      failFirst(1)
      assert.deepEqual(await send('/', options), NO_ANSWER)
    }
    assert.deepEqual([groups.requests.length, group().entered], [3, 0])
  })

  test('a request to an app that cannot run gets status 503 with Retry-After', async () => {
    group().onSocket = async () => {
      throw new AppUnavailableError('the app does not start', 7)
    }
    assert.deepEqual(await send(), [503, 'The app is not available: the app does not start.\n', '7'])
    assert.equal((await upgrade()).line, 'HTTP/1.1 503 Service Unavailable')
    group().onEnter = async () => {
      throw new WaitRefusedError('too many requests are waiting')
    }
    assert.deepEqual(await send(), [503, 'The app is not available: too many requests are waiting.\n', '1'])
    assert.deepEqual([group().entered, group().sockets], [0, 0])
  })

  test('an unexpected error of the app router returns status 502, and the next request is served', async () => {
    group().onSocket = async () => {
      throw new RangeError('a fault')
    }
    assert.deepEqual(await send(), NO_ANSWER)
    group().onSocket = async () => {}
    answer('hello')
    assert.deepEqual([await send(), group().entered], [[200, 'hello'], 0])
  })

  test('a request during which the app process is killed for CPU time or memory is reported to tails and not sent again', async () => {
    const received: unknown[] = []
    const receive = cloud.tails.receive.bind(cloud.tails)
    cloud.tails.receive = (accountId, reports) => {
      received.push(
        ...reports.map(({ script: name, isObserved, item }) => [
          name,
          isObserved,
          item.outcome,
          item.exceptions[0]?.message,
        ]),
      )
      receive(accountId, reports)
    }
    const refused = [503, 'The app is not available: it exceeded its limit.\n', '1']
    failFirst(1, overrun('exceededCpu', Infinity))
    assert.deepEqual(await send(), refused)
    failFirst(1, overrun('exceededMemory', Infinity))
    assert.deepEqual(await send(), refused)
    assert.deepEqual(received, [
      ['shop', true, 'exceededCpu', 'Worker exceeded CPU time limit.'],
      ['shop', true, 'exceededMemory', 'Worker exceeded memory limit.'],
    ])
    assert.equal(groups.requests.length, 2)
  })

  test('after a process is killed for memory, a request that began after its memory had risen is sent again', async () => {
    failFirst(1, overrun('exceededMemory', -Infinity))
    assert.deepEqual([await send(), groups.requests.length], [[200, 'hello'], 2])
  })

  test('the request of a client that disconnects while waiting for the app is counted but not sent to the app', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waits = Promise.withResolvers<void>()
    group().onEnter = async () => {
      waits.resolve()
      await promise
    }
    const client = connect(port(), '127.0.0.1')
    clients.push(client)
    const closed = new Promise<void>((close) => {
      router.once('request', (_req, res) => void res.once('close', close))
    })
    client.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)
    await waits.promise
    client.destroy()
    await closed
    resolve()
    group().onEnter = async () => {}
    answer('hello')
    assert.deepEqual(await send(), [200, 'hello'])
    assert.deepEqual([groups.requests.length, group().entered, countRequests()], [1, 0, 2])
  })

  test('an open WebSocket does not count as a running request, so a restart does not wait for it', async () => {
    const { client } = await upgrade()
    assert.deepEqual([group().entered, group().sockets, countRequests()], [0, 1, 1])
    client.destroy()
    while (group().sockets > 0) await new Promise((turn) => setImmediate(turn))
    assert.equal((await upgrade('none.acme.localhost')).line, 'HTTP/1.1 404 Not Found')
    assert.deepEqual([group().sockets, countRequests()], [0, 1])
  })
})
