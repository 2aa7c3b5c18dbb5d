import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request, type Server as HttpServer, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { forwardRequest } from './proxy.ts'
import { WaitRefusedError } from '../../workerd/groups.ts'

const BODY = 'x'.repeat(1024 * 1024)

test('an app still responds while 300 other clients send their request bodies slowly', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-proxy-'))
  const path = join(dir, 'worker.sock')
  const worker = createServer((req, res) => req.resume().once('end', () => res.end('done')))
  const router = createServer((req, res) => {
    const target = { socket: path, generation: 1, isTrusted: () => false, onStream: () => undefined }
    forwardRequest(req, res, target).catch(() => res.destroy())
  })
  await new Promise<void>((resolve) => worker.listen(path, resolve))
  await new Promise<void>((resolve) => router.listen(0, '127.0.0.1', resolve))
  const { port } = router.address() as AddressInfo
  let begun = 0
  const allBegan = new Promise<void>((resolve) => worker.on('request', () => ++begun === 300 && resolve()))
  const callers = Array.from({ length: 300 }, () => connect(port, '127.0.0.1'))
  try {
    for (const caller of callers) caller.write('POST / HTTP/1.1\r\nHost: app\r\nContent-Length: 9\r\n\r\n{')
    await allBegan
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5000) })
    assert.equal(await response.text(), 'done')
  } finally {
    for (const caller of callers) caller.destroy()
    router.close()
    worker.close()
    rmSync(dir, { recursive: true })
  }
})

test('an app with 800 open requests refuses further requests after a short wait, and other apps are still served', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-proxy-'))
  const held: ServerResponse[] = []
  const busy = createServer((_, res) => void held.push(res))
  const idle = createServer((_, res) => res.end('served'))
  const folders = ['busy', 'idle'].map((name) => mkdtempSync(join(dir, name)))
  const [busyPath = '', idlePath = ''] = folders.map((folder) => join(folder, 'worker.sock'))
  const router = createServer((req, res) => {
    const socket = req.headers.host === 'busy' ? busyPath : idlePath
    forwardRequest(req, res, {
      socket,
      generation: 1,
      isTrusted: () => false,
      onStream: () => undefined,
    }).catch((error: unknown) => res.writeHead(error instanceof WaitRefusedError ? 503 : 502).end())
  })
  await new Promise<void>((resolve) => busy.listen(busyPath, resolve))
  await new Promise<void>((resolve) => idle.listen(idlePath, resolve))
  await new Promise<void>((resolve) => router.listen(0, '127.0.0.1', resolve))
  const { port } = router.address() as AddressInfo
  const agent = new Agent({ maxSockets: Infinity })
  const requestStatus = (host: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', headers: { host }, agent }, (response) => {
        resolve(response.resume().statusCode ?? 0)
      })
      asked.once('error', reject).end()
    })
  try {
    const open = Array.from({ length: 800 }, () => requestStatus('busy'))
    while (held.length < 800) await sleep(10)
    const waiting = requestStatus('busy')
    assert.equal(await requestStatus('idle'), 200)
    assert.equal(await waiting, 503)
    const next = requestStatus('busy')
    held.shift()?.end()
    while (held.length < 800) await sleep(10)
    for (const res of held) res.end()
    assert.deepEqual(new Set(await Promise.all([...open, next])), new Set([200]))
  } finally {
    agent.destroy()
    router.closeAllConnections()
    for (const server of [router, busy, idle]) server.close()
    rmSync(dir, { recursive: true })
  }
})

describe('a worker that does not read a body to its end', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-proxy-'))
  const path = join(dir, 'worker.sock')
  let worker: Server
  let router: HttpServer
  let answer: (socket: Socket) => void

  before(async () => {
    worker = createSocketServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.pause()
        answer(socket)
      })
    })
    router = createServer((req, res) => {
      const target = { socket: path, generation: 1, isTrusted: () => false, onStream: () => undefined }
      forwardRequest(req, res, target).catch(() => res.writeHead(502).end())
    })
    await new Promise<void>((resolve) => worker.listen(path, resolve))
    await new Promise<void>((resolve) => router.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    router.close()
    worker.close()
    rmSync(dir, { recursive: true })
  })

  const postBody = async () => {
    const { port } = router.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: BODY })
    return `${response.status} ${await response.text()}`
  }

  test("a worker's response reaches the caller even if the worker closes the connection before reading the body", async () => {
    const text = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 7\r\n\r\nSign in'
    answer = (socket) => socket.write(text, () => socket.destroy())
    for (let round = 0; round < 20; round++) assert.equal(await postBody(), '401 Sign in')
  })

  test('a worker that ignores the request body can still respond to a client that reads only after sending everything', async () => {
    const text = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 7\r\n\r\nSign in'
    answer = (socket) => socket.write(text, () => socket.destroy())
    const { port } = router.address() as AddressInfo
    const caller = connect(port, '127.0.0.1').pause()
    const timeout = AbortSignal.timeout(5000)
    timeout.addEventListener('abort', () => caller.destroy())
    try {
      const sizeBytes = 64 * BODY.length
      caller.write(`POST / HTTP/1.1\r\nHost: app\r\nContent-Length: ${sizeBytes + 1}\r\n\r\n`)
      const sendText = (text: string) =>
        new Promise<void>((resolve, reject) =>
          caller.write(text, (error) => (error ? reject(error) : resolve())),
        )
      await sendText('{')
      // Meanwhile the worker responds and closes the connection.
      await sleep(200)
      for (let sent = 0; sent < sizeBytes; sent += BODY.length) await sendText(BODY)
      const [response] = (await once(caller.resume(), 'data')) as [Buffer]
      assert.match(response.toString(), /^HTTP\/1\.1 401 /)
    } finally {
      caller.destroy()
    }
  })

  test('a client gets status 502 when a worker closes the connection without a response', async () => {
    answer = (socket) => socket.destroy()
    assert.equal(await postBody(), '502 ')
  })

  test('a response that a worker cuts off reaches the client as an error, not as a complete response', async () => {
    answer = (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\nhalf', () => socket.destroy())
    await assert.rejects(postBody())
  })
})
