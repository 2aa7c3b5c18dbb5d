import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  api,
  askApp,
  deployWorker,
  startTestWorld,
  type TestWorld,
  workerdOf,
  workerUpload,
} from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const COUNTER = {
  bindings: [{ type: 'durable_object_namespace', name: 'COUNTER', class_name: 'Counter' }],
  migrations: { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Counter'] }] },
}

const counterSource = (label: string) => `
import { DurableObject } from 'cloudflare:workers'
export class Counter extends DurableObject {
  hit() {
    const { sql } = this.ctx.storage
    sql.exec('CREATE TABLE IF NOT EXISTS hits (at INTEGER)')
    sql.exec('INSERT INTO hits VALUES (1)')
    return sql.exec('SELECT count(*) AS n FROM hits').one().n
  }
}
export default {
  async fetch(request, env) {
    const path = new URL(request.url).pathname
    if (path === '/headers') return Response.json(Object.fromEntries(request.headers))
    if (path === '/plain') return new Response('${label}')
    return new Response('${label} ' + await env.COUNTER.getByName('all').hit())
  },
}`

let world: TestWorld
/** Sends a WebSocket text frame and returns the reply. Uses a raw socket, because Node's clients do not resolve `*.localhost`. */
function echoOverSocket(world: TestWorld, worker: string, text: string): Promise<string> {
  const host = `${worker}.${world.account.subdomain}.localhost:${world.appsPort}`
  return new Promise((resolve, reject) => {
    const socket = connect(world.appsPort, '127.0.0.1', () => {
      const key = Buffer.alloc(16).toString('base64')
      const head = ['GET / HTTP/1.1', `Host: ${host}`, 'Connection: Upgrade', 'Upgrade: websocket']
      socket.write([...head, `Sec-WebSocket-Key: ${key}`, 'Sec-WebSocket-Version: 13', '', ''].join('\r\n'))
    })
    socket.on('error', reject)
    let isOpen = false
    socket.on('data', (data: Buffer) => {
      if (!isOpen) {
        assert.match(data.toString('latin1'), /^HTTP\/1\.1 101/)
        isOpen = true
        // A masked text frame. A mask of zeros leaves the text unchanged.
        socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
        return
      }
      socket.destroy()
      resolve(data.subarray(2).toString())
    })
  })
}

describe('a deployed app of the local cloud', () => {
  before(async () => {
    world = await startTestWorld()
  })
  after(() => world.remove())

  test('five deploys under load fail no request, and after each deploy only the new code responds', async () => {
    await deployWorker(world, 'busy', workerUpload(counterSource('v0'), COUNTER))
    assert.equal((await askApp(world, 'busy', '/plain')).text, 'v0')
    const seen = { total: 0, failed: [] as string[], worstMs: 0 }
    const over = new AbortController()
    const load = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) {
        const startedAt = performance.now()
        const { status, text } = await askApp(world, 'busy', '/plain').catch((error: unknown) => ({
          status: 0,
          text: String(error),
        }))
        seen.total++
        seen.worstMs = Math.max(seen.worstMs, performance.now() - startedAt)
        if (status !== 200) seen.failed.push(`${status} ${text}`)
        await sleep(5)
      }
    })
    for (let n = 1; n <= 5; n++) {
      const { migrations: _applied, ...metadata } = COUNTER
      const form = workerUpload(counterSource(`v${n}`), {
        ...metadata,
        migrations: { old_tag: 'v1', new_tag: 'v1', steps: [] },
      })
      assert.equal((await api(world, 'PUT', '/workers/scripts/busy', form)).success, true)
      assert.equal((await askApp(world, 'busy', '/plain')).text, `v${n}`)
    }
    over.abort()
    await Promise.all(load)
    assert.deepEqual(seen.failed, [])
    assert.ok(seen.total > 50, `${seen.total} requests`)
  })

  test("WebSockets pass through the local cloud's router, and client IP headers from the client are not forwarded", async () => {
    const socketApp = `export default { fetch(request) {
    if (request.headers.get('upgrade') === 'websocket') {
      const [client, server] = Object.values(new WebSocketPair())
      server.accept()
      server.addEventListener('message', (event) => server.send('echo ' + event.data))
      return new Response(null, { status: 101, webSocket: client })
    }
    return new Response(request.headers.get('cf-connecting-ip'))
  } }`
    await deployWorker(world, 'sockets', workerUpload(socketApp))
    const spoofed = await askApp(world, 'sockets', '/', {
      'cf-connecting-ip': '6.6.6.6',
      'x-real-ip': '6.6.6.6',
    })
    assert.equal(spoofed.text, '127.0.0.1')
    assert.equal(await echoOverSocket(world, 'sockets', 'hi'), 'echo hi')
  })

  test("the local cloud returns 404 for unknown hosts and for the runtime's internal paths, even when URL-encoded", async () => {
    for (const path of [
      '/cdn-cgi/local/explorer',
      '/%63dn-cgi/local/scheduled',
      '//cdn-cgi/./local/email',
      '/x/../cdn-cgi/x',
    ]) {
      assert.equal((await askApp(world, 'sockets', path)).status, 404, path)
    }
    assert.match((await askApp(world, 'sockets', '/cdn-cgi/trace')).text, /^h=sockets\./)
    assert.equal((await askApp(world, 'nobody', '/')).status, 404)
    assert.equal((await askApp(world, '_egress', '/')).status, 404)
  })

  test('an app of the local cloud cannot reach this machine or the private network, and is told the reason', async () => {
    const prober = `import { connect } from 'cloudflare:sockets'
  export default { async fetch(request, env) {
    const target = new URL(request.url).searchParams.get('url')
    try {
      if (target.startsWith('tcp:')) {
        const socket = connect(target.slice(4))
        await socket.opened
        return new Response('reached')
      }
      return new Response('reached ' + (await fetch(target)).status)
    } catch (error) { return new Response(String(error)) }
  } }`
    await deployWorker(world, 'prober', workerUpload(prober))
    const { port } = new URL(world.restUrl)
    const targets = [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      'http://169.254.169.254/latest',
      'http://10.0.0.1/',
    ]
    for (const target of targets) {
      const { text } = await askApp(world, 'prober', `/?url=${encodeURIComponent(target)}`)
      assert.match(text, /Apps reach public addresses only/, target)
    }
    const tcp = await askApp(world, 'prober', `/?url=tcp:127.0.0.1:${port}`)
    assert.doesNotMatch(tcp.text, /reached/)
  })

  test('an app reaches another app by its host name', async () => {
    const caller = `export default { async fetch(request) {
    const { host } = new URL(request.url)
    return fetch('http://' + host.replace('caller', 'busy') + '/plain')
  } }`
    await deployWorker(world, 'caller', workerUpload(caller))
    assert.equal((await askApp(world, 'caller', '/')).text, 'v5')
  })

  test('workers of one project share a Durable Object, and two workers can have service bindings to each other', async () => {
    const live = `import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers'
  export class Room extends DurableObject { label() { return 'room ' + this.ctx.id.name } }
  export class Production extends WorkerEntrypoint {
    async room(name) { return this.env.ROOMS.getByName(name).label() }
  }
  export default { fetch: () => new Response('live') }`
    const app = `export default { async fetch(request, env) { return new Response(await env.LIVE.room('a')) } }`
    const answer = await deployWorker(
      world,
      'shop-live',
      workerUpload(live, {
        bindings: [{ type: 'durable_object_namespace', name: 'ROOMS', class_name: 'Room' }],
        migrations: { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Room'] }] },
      }),
    )
    assert.deepEqual(answer.errors, [])
    const binding = { type: 'service', name: 'LIVE', service: 'shop-live', entrypoint: 'Production' }
    await deployWorker(world, 'shop', workerUpload(app, { bindings: [binding] }))
    assert.equal((await askApp(world, 'shop', '/')).text, 'room a')
    const back = workerUpload(live, {
      bindings: [
        { type: 'durable_object_namespace', name: 'ROOMS', class_name: 'Room' },
        { type: 'service', name: 'BACK', service: 'shop' },
      ],
      migrations: { old_tag: 'v1', new_tag: 'v1', steps: [] },
    })
    assert.deepEqual((await api(world, 'PUT', '/workers/scripts/shop-live', back)).errors, [])
    assert.equal((await askApp(world, 'shop', '/')).text, 'room a')
  })

  test("the first request after kill -9 of an app's processes gets 200 and finds the stored data", async () => {
    const before = Number((await askApp(world, 'busy', '/')).text.split(' ')[1])
    for (const pid of workerdOf(world)) process.kill(pid, 'SIGKILL')
    const answer = await askApp(world, 'busy', '/')
    assert.equal(answer.status, 200)
    assert.ok(Number(answer.text.split(' ')[1]) > before)
  })

  test('after kill -9 of the local Cloudflare emulator no workerd is left, and the next start serves the app with its data', async () => {
    const before = Number((await askApp(world, 'busy', '/')).text.split(' ')[1])
    assert.ok(workerdOf(world).length > 0)
    await world.kill()
    await waitUntil(() => workerdOf(world).length === 0)
    await world.start()
    assert.equal((await askApp(world, 'busy', '/')).text, `v5 ${before + 1}`)
  })

  test('kill -9 of the local Cloudflare emulator during a deploy loses nothing acknowledged and leaves one complete version', async () => {
    let [label, hits] = (await askApp(world, 'busy', '/')).text.split(' ')
    const { migrations: _applied, ...metadata } = COUNTER
    for (const [n, afterMs] of [20, 150, 300, 600].entries()) {
      const next = `k${n}`
      const answer = api(
        world,
        'PUT',
        '/workers/scripts/busy',
        workerUpload(counterSource(next), metadata),
      ).then(
        ({ success }) => success,
        () => false,
      )
      await sleep(afterMs)
      await world.kill()
      const isAcknowledged = await answer
      await world.start()
      const [nowLabel, nowHits] = (await askApp(world, 'busy', '/')).text.split(' ')
      if (isAcknowledged) assert.equal(nowLabel, next)
      else assert.ok(nowLabel === label || nowLabel === next, `${nowLabel} after ${label}`)
      assert.equal(Number(nowHits), Number(hits) + 1)
      ;[label, hits] = [nowLabel, nowHits]
    }
  })

  test('stopping the local Cloudflare emulator gracefully ends every workerd process', async () => {
    await world.stop()
    assert.deepEqual(workerdOf(world), [])
    await world.start()
  })
})
