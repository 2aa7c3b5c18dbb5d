import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { startEmbedded } from '../../server/db/embedded.ts'
import { silentLog } from '../../server/testing/database.ts'
import { type Frame, framesOf } from '../support/frames.ts'
import { finish, serveScriptedModel, write } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'
import { Person } from '../support/client.ts'
import { Watcher } from '../support/watcher.ts'

const KEYS_PER_MINUTE = 40

// The first service serves requests and runs jobs, the second only serves, and a third that starts later also runs jobs. All three share a
// database and a secrets file, like services on several machines.
describe('two service processes on one database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-two-'))
  let postgres: Awaited<ReturnType<typeof startEmbedded>>
  let model: Awaited<ReturnType<typeof serveScriptedModel>>
  let one: ServiceProcess
  let two: ServiceProcess
  /** One user, signed in at both services. */
  let ann: { one: Person; two: Person }
  const started: ServiceProcess[] = []

  const startProcess = async (role: 'all' | 'web' | 'worker') => {
    const service = await ServiceProcess.start({
      DATABASE_URL: postgres.url,
      SLIPWAY_SECRETS_FILE: join(folder, 'secrets.json'),
      SLIPWAY_LOCAL_WORLD: 'off',
      SLIPWAY_ROLE: role,
      SLIPWAY_KEY_LIMIT_PER_MINUTE: String(KEYS_PER_MINUTE),
    })
    started.push(service)
    return service
  }

  before(async () => {
    ;[postgres, model] = await Promise.all([
      startEmbedded({ dataDir: folder, log: silentLog, durable: false }),
      serveScriptedModel(),
    ])
    // Start both at once with an empty database: the schema and the secrets must be created once.
    ;[one, two] = await Promise.all([startProcess('all'), startProcess('web')])
    const first = await Person.signUp(one.url)
    ann = { one: first, two: first.at(two.url) }
  })
  after(async () => {
    for (const service of started) await service.dispose()
    await model.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })

  const newKey = () =>
    ann.one.call<{ id: string; key: string }>('POST /keys', { name: 'two', scopes: ['projects:read'] })
  const asKey = (service: ServiceProcess, key: string) =>
    fetch(`${service.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })

  test('an API key works at two processes of a service, and after its revocation each of them refuses it immediately', async () => {
    const { id, key } = await newKey()
    assert.deepEqual([(await asKey(one, key)).status, (await asKey(two, key)).status], [200, 200])
    await ann.two.call(`DELETE /keys/${id}`)
    assert.deepEqual([(await asKey(one, key)).status, (await asKey(two, key)).status], [401, 401])
  })

  test('two processes together allow no more requests of an API key than one process', async () => {
    const { key } = await newKey()
    const answers: Response[] = []
    // Send a few requests at a time: while the database takes a second to respond, a process counts requests only in its own memory.
    while (answers.length < KEYS_PER_MINUTE + 20)
      answers.push(...(await Promise.all([one, one, two, two].map((service) => asKey(service, key)))))
    assert.equal(answers.filter((answer) => answer.status === 200).length, KEYS_PER_MINUTE)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 429)
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
    }
  })

  test('50 requests with one Idempotency-Key to two processes of the service create one project', async () => {
    const before = await countProjects()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 === 0 ? ann.one : ann.two)
          .request('POST /projects', { name: 'Once' }, { 'idempotency-key': 'once' })
          .then((answer) => answer.json() as Promise<{ data: { id: string } }>),
      ),
    )
    assert.equal(new Set(answers.map((answer) => answer.data.id)).size, 1)
    assert.equal((await countProjects()) - before, 1)
  })

  test('a build requested at one of two web processes runs once, and each process streams the same frames', async () => {
    const { place, calls } = await openTicket('watched', [
      { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] },
      { toolCalls: [finish()] },
    ])
    const first = collectFrames(await ann.two.request(`POST ${place}/build/stream`, {}))
    let run: string | undefined
    while (run === undefined) run = (await runsOf(place))[0]?.id
    const second = collectFrames(await ann.one.request(`POST ${place}/build/stream`, { run, after: 0 }))
    const [atTwo, atOne] = await Promise.all([first, second])
    assert.equal(atTwo.at(-1)?.['status'], 'built', JSON.stringify(atTwo.at(-1)))
    assert.deepEqual(atOne, atTwo)
    assert.equal((await calls()).length, 2)
    assert.equal((await runsOf(place)).length, 1)
  })

  test('when the process that runs a build is killed, another takes over, and clients of both get the whole stream', async () => {
    const silence = { text: 'thinking about it', fault: 'silence' }
    const writes = { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] }
    const { place } = await openTicket('taken-over', [
      writes,
      silence,
      { toolCalls: [finish()], repeat: true },
    ])
    const [atOne, atTwo] = [new Watcher(ann.one, place), new Watcher(ann.two, place)]
    const spoke = Promise.withResolvers<void>()
    const watching = atTwo.read((frame) => {
      if (frame.type === 'usage') spoke.resolve()
    })
    const cut = atOne.read()
    await spoke.promise
    const worker = await startProcess('worker')
    const killedAt = performance.now()
    await one.kill()
    // The client whose process was killed reconnects to the other process.
    await cut
    atOne.moveTo(ann.two)
    await Promise.all([atOne.read(), watching])
    const tookMs = performance.now() - killedAt
    for (const watcher of [atOne, atTwo]) {
      assert.equal(watcher.frames.at(-1)?.['status'], 'built', JSON.stringify(watcher.frames.at(-1)))
      assert.equal(watcher.frames.filter((frame) => frame.type === 'resuming').length, 1)
    }
    assert.deepEqual(atOne.runs(), atTwo.runs(), 'both saw every frame of both runs')
    assert.equal(atTwo.runs().size, 2)
    assert.ok(tookMs < 60_000, `settled after ${Math.round(tookMs)} ms`)
    const runs = await runsOf(place)
    assert.deepEqual(
      runs.map((item) => [item.status, item.attempt]),
      [
        ['succeeded', 2],
        ['failed', 1],
      ],
    )
    assert.equal(await worker.isHealthy(), true)
  })

  test('a worker process (without the web API) serves its health endpoints and nothing else', async () => {
    const worker = started.at(-1)?.url ?? ''
    const statusOf = async (path: string) => (await fetch(worker + path)).status
    assert.deepEqual(
      await Promise.all(['/health', '/livez', '/api/v1/me', '/api/auth/get-session', '/'].map(statusOf)),
      [200, 200, 404, 404, 404],
    )
  })

  test('of two processes that send webhook deliveries, exactly one sends each event', async () => {
    await one.restart()
    const ids: string[] = []
    const receiver = createServer((request, response) => {
      ids.push(String(request.headers['service-delivery-id']))
      response.end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const { port } = receiver.address() as AddressInfo
    const database = new Client({ connectionString: postgres.url })
    await database.connect()
    try {
      await ann.two.call('POST /webhooks', { url: `http://127.0.0.1:${port}/`, events: ['project.created'] })
      await Promise.all(
        [ann.one, ann.two].map(async (person) => {
          for (let n = 0; n < 20; n++) await person.call('POST /projects', {})
        }),
      )
      // A delivery has a row until it is done. Without rows, no further request will arrive.
      while ((await database.query('select from deliveries')).rowCount !== 0) await sleep(20)
      assert.deepEqual([ids.length, new Set(ids).size], [40, 40])
    } finally {
      await database.end()
      receiver.close()
    }
  })

  test('after one of two processes shuts down gracefully, the other serves the same data and accepts writes', async () => {
    const before = await countProjects('two')
    await two.stop()
    assert.equal(await countProjects('one'), before)
    await ann.one.call('POST /projects', {})
    assert.equal(await countProjects('one'), before + 1)
  })

  async function countProjects(at: 'one' | 'two' = 'two'): Promise<number> {
    return (await ann[at].call<{ items: unknown[] }>('GET /projects')).items.length
  }

  const runsOf = async (place: string) =>
    (
      await ann.two.call<{ items: { id: string; status: string; attempt: number }[] }>(
        `GET ${place.split('/tickets')[0]}/runs`,
      )
    ).items

  async function openTicket(key: string, steps: Record<string, unknown>[]) {
    await model.script(key, steps)
    const connection = await ann.two.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: key,
      baseUrl: model.baseUrl,
      key,
      defaultModel: 'scripted',
    })
    const project = await ann.two.call<{ id: string }>('POST /projects', { name: key })
    const chosen = { connectionId: connection.id, model: 'scripted' }
    await ann.two.call(`PUT /projects/${project.id}/model`, chosen)
    const title = 'Track plants'
    const ticket = await ann.two.call<{ id: string }>(`POST /projects/${project.id}/tickets`, { title })
    return { place: `/projects/${project.id}/tickets/${ticket.id}`, calls: () => model.calls(key) }
  }
})

const collectFrames = (answer: Response): Promise<Frame[]> => Array.fromAsync(framesOf(answer))
