import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { api, askApp, deployWorker, startTestWorld, type TestWorld, workerUpload } from './world.ts'
import { WRANGLER, wranglerEnvironment } from './wrangler.ts'
import { waitUntil } from '../support/wait-until.ts'

const SOURCE = `
export default {
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/throw') throw new TypeError('no such plant')
    if (pathname === '/line') console.log('watering', { plant: 'fern' })
    return new Response('ok')
  },
}`

interface Message {
  outcome: string
  scriptName: string
  logs: { message: unknown[]; level: string }[]
  exceptions: { name: string; message: string }[]
  event: { request: { url: string; method: string }; response?: { status: number } }
}

function startTail(world: TestWorld, worker: string) {
  const home = join(world.dir, 'tail-home')
  mkdirSync(home, { recursive: true })
  const child: ChildProcess = spawn(process.execPath, [WRANGLER, 'tail', worker, '--format', 'json'], {
    cwd: home,
    env: wranglerEnvironment(world, home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  }
  return {
    output: () => output,
    messages: (): Message[] =>
      output
        .split(/^(?=\{$)/m)
        .filter((text) => text.startsWith('{'))
        .flatMap((text) => {
          try {
            return [JSON.parse(text) as Message]
          } catch {
            return []
          }
        }),
    stop: () =>
      new Promise<void>((resolve) => {
        child.once('close', () => resolve())
        child.kill('SIGINT')
      }),
  }
}

describe('live logs', () => {
  let world: TestWorld
  before(async () => {
    world = await startTestWorld()
  })
  after(() => world.remove())

  const listSessions = async (worker: string) =>
    (await api(world, 'GET', `/workers/scripts/${worker}/tails`)).result as { id: string }[]

  for (const [worker, observability] of [
    ['watched', { enabled: true }],
    ['terse', { enabled: true, logs: { enabled: true, invocation_logs: false } }],
    ['silent', { enabled: false }],
  ] as const) {
    test(`wrangler tails the worker "${worker}", including requests without a log line`, async () => {
      assert.ok((await deployWorker(world, worker, workerUpload(SOURCE, { observability }))).success)
      await askApp(world, worker, '/')
      const tail = startTail(world, worker)
      // Send requests until wrangler prints one, because its WebSocket opens after the session was created.
      await waitUntil(async () => (await listSessions(worker)).length === 1, { details: tail.output })
      await waitUntil(
        async () => {
          await askApp(world, worker, '/')
          return tail.messages().length > 0
        },
        { details: tail.output },
      )
      for (const path of ['/line', '/throw']) await askApp(world, worker, path)
      const findMessage = (path: string) =>
        tail.messages().find((one) => one.event.request.url.endsWith(path))
      await waitUntil(() => findMessage('/line') !== undefined && findMessage('/throw') !== undefined, {
        details: tail.output,
      })

      assert.deepEqual(findMessage('/line')?.logs[0]?.message, ['watering', { plant: 'fern' }])
      assert.equal(findMessage('/line')?.outcome, 'ok')
      assert.equal(findMessage('/line')?.event.response?.status, 200)
      assert.equal(findMessage('/throw')?.outcome, 'exception')
      assert.equal(findMessage('/throw')?.exceptions[0]?.message, 'no such plant')
      assert.equal(findMessage('/throw')?.scriptName, worker)

      await tail.stop()
      await waitUntil(async () => (await listSessions(worker)).length === 0, { details: tail.output })
    })
  }

  test("the WebSocket of a tail session needs the session's key and the right subprotocol", async () => {
    const made = (await api(world, 'POST', '/workers/scripts/watched/tails', {})).result as {
      id: string
      url: string
    }
    for (const [url, protocol] of [
      [made.url, 'other'],
      [made.url.slice(0, -3), 'trace-v1'],
    ] as const) {
      const refused = new WebSocket(url, protocol)
      await new Promise((resolve) => refused.addEventListener('error', resolve, { once: true }))
    }
    const socket = new WebSocket(made.url, 'trace-v1')
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
    const ended = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }))
    assert.equal((await api(world, 'DELETE', `/workers/scripts/watched/tails/${made.id}`)).status, 200)
    await ended
    assert.equal((await api(world, 'DELETE', `/workers/scripts/watched/tails/${made.id}`)).status, 404)
  })
})
