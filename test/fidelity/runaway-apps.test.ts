import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFileSync } from 'node:fs'
import {
  api,
  askApp,
  deployWorker,
  startTestWorld,
  type TestWorld,
  workerdOf,
  workerUpload,
} from './world.ts'

const RUNAWAY = `
const kept = []
export default {
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/spin') for (;;);
    // Leaks 20 MB per request and responds: the memory grows while requests are served.
    if (pathname === '/leak') kept.push(new Uint8Array(20_000_000).fill(1))
    const times = pathname === '/eat' ? 1 : pathname === '/eat-slowly' ? 60 : 0
    for (let n = 0; n < 300 && times > 0; n++) {
      const bytes = new Uint8Array(10_000_000)
      for (let time = 0; time < times; time++) bytes.fill(time)
      kept.push(bytes)
    }
    return new Response(String(kept.length))
  },
}`

let world: TestWorld

/** Equal to `MEMORY_BYTES_MAX` of the local cloud (`local/cloudflare/runtime/watchdog.ts`). */
const LIMIT_BYTES = 512 * 1024 * 1024

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096
  } catch {
    return 0
  }
}

describe('runaway apps', () => {
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_SPIN_SECONDS: '1' })
    const observability = { enabled: true }
    await deployWorker(world, 'runaway', workerUpload(RUNAWAY, { observability }))
    // A second worker that runs in the same process.
    await deployWorker(
      world,
      'runaway-admin',
      workerUpload(`export default { fetch: () => new Response('fine') }`),
    )
    await deployWorker(
      world,
      'neighbour',
      workerUpload(`export default { fetch: () => new Response('fine') }`),
    )
  })
  after(() => world.remove())

  test('a request to an app that loops endlessly is ended with 503 and not retried, and other apps are not affected', async () => {
    assert.equal((await askApp(world, 'neighbour', '/')).text, 'fine')
    const spinning = askApp(world, 'runaway', '/spin')
    const over = new AbortController()
    void spinning.finally(() => over.abort())
    while (!over.signal.aborted) {
      assert.equal((await askApp(world, 'neighbour', '/')).text, 'fine')
      await sleep(500)
    }
    const { status, text } = await spinning
    assert.equal(status, 503)
    assert.match(text, /exceeded its CPU time/)
    assert.equal((await askApp(world, 'runaway', '/')).text, '0')
  })

  /** Samples all app processes while `work` runs. Returns the longest time (ms) that a process was more than 10 % over its limit. */
  async function msFarOverDuring(work: () => Promise<void>): Promise<number> {
    const isOver = (pid: number) => residentBytes(pid) > 1.1 * LIMIT_BYTES
    const over = new AbortController()
    const working = work().finally(() => over.abort())
    let [longestMs, since] = [0, performance.now()]
    while (!over.signal.aborted) {
      if (!workerdOf(world).some(isOver)) since = performance.now()
      longestMs = Math.max(longestMs, performance.now() - since)
      await sleep(10)
    }
    await working
    return longestMs
  }

  test('an app that exceeds its memory is killed within a second, its request gets 503, and the next request starts it again', async () => {
    for (let round = 0; round < 4; round++) {
      const ms = await msFarOverDuring(async () => {
        const { status, text } = await askApp(world, 'runaway', '/eat')
        assert.deepEqual([status, text], [503, 'The app is not available: it exceeded its memory.\n'])
      })
      assert.ok(ms < 1000, `${ms} ms over its limit`)
      assert.equal((await askApp(world, 'runaway', '/')).text, '0')
    }
  })

  test('while an app fills its memory, requests to other workers of its process still succeed', async () => {
    assert.equal((await askApp(world, 'runaway-admin', '/')).text, 'fine')
    const eating = askApp(world, 'runaway', '/eat-slowly')
    // Wait until the app is filling its memory. Until the process is killed, no other worker in it can run, so the next process serves
    // these requests.
    while (!workerdOf(world).some((pid) => residentBytes(pid) > LIMIT_BYTES / 2)) await sleep(10)
    const asked = await Promise.all(Array.from({ length: 5 }, () => askApp(world, 'runaway-admin', '/')))
    assert.deepEqual(
      asked.map(({ status, text }) => [status, text]),
      Array.from({ length: 5 }, () => [200, 'fine']),
    )
    assert.equal((await eating).status, 503)
  })

  test('an app process that leaks memory is replaced by a new process, and no request fails', async () => {
    const kept: number[] = []
    for (let n = 0; n < 60; n++) {
      const { status, text } = await askApp(world, 'runaway', '/leak')
      assert.equal(status, 200)
      kept.push(Number(text))
    }
    assert.ok(Math.max(...kept) <= 40 && kept.filter((count) => count === 1).length >= 2, kept.join())
  })

  test("an app's log says whether its process was ended because of the memory limit or the CPU time limit", async () => {
    const { result } = await api(world, 'POST', '/workers/observability/telemetry/query', {
      queryId: 'overruns',
      timeframe: { from: Date.now() - 600_000, to: Date.now() + 60_000 },
      view: 'events',
      limit: 100,
    })
    const text = JSON.stringify(result)
    assert.match(text, /exceededMemory/)
    assert.match(text, /Worker exceeded memory limit\./)
    assert.match(text, /Worker exceeded CPU time limit\./)
  })

  test('a worker that fills its memory at its start is refused with the reason', async () => {
    const source = `const kept = []
for (let n = 0; n < 400; n++) kept.push(new Uint8Array(10_000_000).fill(n))
export default { fetch() {} }`
    const ms = await msFarOverDuring(async () => {
      const { status, errors } = await deployWorker(world, 'wrong', workerUpload(source))
      assert.deepEqual([status, errors[0]?.message], [400, 'Script startup exceeded memory limit.'])
    })
    assert.ok(ms < 1000, `${ms} ms over its limit`)
  })

  test('a deploy of a worker whose script does not start is refused with the reason, and leaves no process behind', async () => {
    const before = workerdOf(world)
    const problemOf = async (source: string, metadata: object = {}) => {
      const { status, errors } = await deployWorker(world, 'wrong', workerUpload(source, metadata))
      assert.deepEqual([status, errors[0]?.code], [400, 10021])
      return errors[0]?.message ?? ''
    }
    assert.match(await problemOf('for (;;); export default { fetch() {} }'), /exceeded CPU time/)
    assert.match(
      await problemOf('export default { fetch( '),
      /SyntaxError: Unexpected end of input\n.*\/\/\/index\.js:/,
    )
    assert.match(
      await problemOf(`import x from './nope.js'; export default { fetch() {} }`),
      /No such module "nope\.js"/,
    )
    assert.match(await problemOf(`await fetch('http://example.com'); export default {}`), /global scope/)
    const bindings = [{ type: 'service', name: 'S', service: 'neighbour', entrypoint: 'Nope' }]
    assert.match(await problemOf('export default { fetch() {} }', { bindings }), /no such named entrypoint/)
    assert.deepEqual(
      workerdOf(world).filter((pid) => !before.includes(pid)),
      [],
    )
    assert.equal((await askApp(world, 'neighbour', '/')).text, 'fine')
  })
})
