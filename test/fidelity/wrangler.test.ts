import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { api, askApp, control, missingRoutes, startTestWorld, type TestWorld } from './world.ts'
import { projectWith, wrangler, wranglerFed, writeFiles } from './wrangler.ts'

// The configuration has no ids, so wrangler creates the database, the namespace, the bucket and the queue.
const CONFIG = {
  name: 'counter',
  main: 'src/index.js',
  compatibility_date: '2026-06-01',
  assets: { directory: 'public', binding: 'ASSETS' },
  vars: { GREETING: 'hello', SHAPE: { sides: 4 } },
  durable_objects: { bindings: [{ name: 'COUNTER', class_name: 'Counter' }] },
  migrations: [{ tag: 'v1', new_sqlite_classes: ['Counter'] }],
  d1_databases: [{ binding: 'DB', database_name: 'counter-db' }],
  kv_namespaces: [{ binding: 'KV' }],
  r2_buckets: [{ binding: 'FILES', bucket_name: 'counter-files' }],
  queues: {
    producers: [{ binding: 'JOBS', queue: 'counter-jobs' }],
    consumers: [{ queue: 'counter-jobs', max_batch_size: 1, max_batch_timeout: 0 }],
  },
  ratelimits: [{ name: 'LIMIT', namespace_id: '1', simple: { limit: 2, period: 60 } }],
  images: { binding: 'IMAGES' },
  version_metadata: { binding: 'VERSION' },
  workflows: [{ name: 'counter-flow', binding: 'FLOW', class_name: 'Flow' }],
  triggers: { crons: ['0 0 1 1 *'] },
}

const workerSource = (label: string) => `
import { DurableObject, WorkflowEntrypoint } from 'cloudflare:workers'
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export class Counter extends DurableObject {
  hit() {
    const { sql } = this.ctx.storage
    sql.exec('CREATE TABLE IF NOT EXISTS hits (at INTEGER)')
    sql.exec('INSERT INTO hits VALUES (1)')
    return sql.exec('SELECT count(*) AS n FROM hits').one().n
  }
}
export class Flow extends WorkflowEntrypoint {
  run(event, step) { return step.do('greet', async () => 'hello ' + event.payload.name) }
}
const stores = {
  async keep(env, text) {
    await env.DB.exec('CREATE TABLE IF NOT EXISTS kept (text TEXT)')
    await env.DB.prepare('INSERT INTO kept VALUES (?)').bind(text).run()
    await env.KV.put('kept', text)
    await env.FILES.put('kept', text)
    await env.JOBS.send(text)
  },
  async read(env) {
    const { results } = await env.DB.prepare('SELECT text FROM kept').all()
    const file = await env.FILES.get('kept')
    return { d1: results.map((row) => row.text), kv: await env.KV.get('kept'), r2: await file.text(),
      queue: await env.KV.get('received') }
  },
}
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/api/keep') return Response.json(await stores.keep(env, searchParams.get('text')) ?? {})
    if (pathname === '/api/read') return Response.json(await stores.read(env))
    if (pathname === '/api/image') {
      const { format, width, height } = await env.IMAGES.info(new Blob([Uint8Array.fromBase64(PIXEL)]).stream())
      return Response.json({ format, width, height })
    }
    if (pathname === '/api/flow') {
      if (searchParams.has('name')) await env.FLOW.create({ id: 'one', params: { name: searchParams.get('name') } })
      return Response.json(await (await env.FLOW.get('one')).status())
    }
    if (pathname === '/api/limit') return Response.json(await env.LIMIT.limit({ key: searchParams.get('key') }))
    const hits = await env.COUNTER.getByName('all').hit()
    return Response.json({ label: '${label}', greeting: env.GREETING, sides: env.SHAPE.sides,
      secret: env.SECRET ?? null, version: env.VERSION.id, hits })
  },
  async queue(batch, env) {
    for (const { body } of batch.messages) await env.KV.put('received', body)
  },
  async scheduled() {},
}`

interface WorkerOutput {
  label: string
  greeting: string
  sides: number
  secret: string | null
  version: string
  hits: number
}

describe('the real wrangler and a worker with every kind of binding', () => {
  let world: TestWorld
  let project: string
  before(async () => {
    world = await startTestWorld()
    project = projectWith(world, {
      'wrangler.jsonc': JSON.stringify(CONFIG),
      'src/index.js': workerSource('first'),
      'public/index.html': '<h1>a static page</h1>',
    })
  })
  after(() => world.remove())

  async function runWrangler(...args: string[]): Promise<string> {
    const { code, output } = await wrangler(world, project, ...args)
    assert.equal(code, 0, output)
    return output
  }

  async function askApi<T>(path: string): Promise<T> {
    const { status, text } = await askApp(world, 'counter', path)
    assert.equal(status, 200, text)
    return JSON.parse(text) as T
  }
  const readApi = () => askApi<WorkerOutput>('/api')

  async function listVersions(): Promise<{ id: string; number: number }[]> {
    return JSON.parse(await runWrangler('versions', 'list', '--json')) as { id: string; number: number }[]
  }

  test('wrangler shows the account of its token', async () => {
    assert.match(await runWrangler('whoami'), /owner@slipway\.test/)
  })

  test('wrangler deploys static assets, a Durable Object and new resources, and the worker responds', async () => {
    await runWrangler('deploy')
    const { version, ...answer } = await readApi()
    assert.deepEqual(answer, { label: 'first', greeting: 'hello', sides: 4, secret: null, hits: 1 })
    const [deployed] = await listVersions()
    assert.equal(version, deployed?.id)
    const page = await askApp(world, 'counter', '/')
    assert.deepEqual([page.status, page.text], [200, '<h1>a static page</h1>'])
  })

  test('data in D1, KV, R2 and a queue survives a restart of the local Cloudflare emulator', async () => {
    await askApi('/api/keep?text=precious')
    await world.stop()
    await world.start()
    const deadline = performance.now() + 20_000
    const readBindings = () => askApi<Record<string, unknown>>('/api/read')
    while ((await readBindings())['queue'] === null && performance.now() < deadline) await sleep(100)
    assert.deepEqual(await readBindings(), {
      d1: ['precious'],
      kv: 'precious',
      r2: 'precious',
      queue: 'precious',
    })
    assert.deepEqual([(await readApi()).hits, (await readApi()).hits], [2, 3])
  })

  test('a workflow of a worker that wrangler deployed completes', async () => {
    await askApi('/api/flow?name=flow')
    const readFlow = () => askApi<{ status: string; output: unknown }>('/api/flow')
    const deadline = performance.now() + 20_000
    while ((await readFlow()).status !== 'complete' && performance.now() < deadline) await sleep(50)
    assert.equal((await readFlow()).output, 'hello flow')
  })

  test('the Images binding of a worker reads the size and format of a picture', async () => {
    assert.deepEqual(await askApi('/api/image'), { format: 'image/png', width: 1, height: 1 })
  })

  test('the rate limit binding of a worker allows exactly the configured number of requests per minute', async () => {
    const isWithinLimit = async (key: number) =>
      (await askApi<{ success: boolean }>(`/api/limit?key=${key}`)).success
    // The limit counts per minute of the clock, so repeat a run that crossed from one minute into the next.
    let minute: number
    let passed: boolean[]
    do {
      minute = Math.floor(Date.now() / 60_000)
      passed = [await isWithinLimit(minute), await isWithinLimit(minute), await isWithinLimit(minute)]
    } while (minute !== Math.floor(Date.now() / 60_000))
    assert.deepEqual(passed, [true, true, false])
  })

  test('a second deploy with wrangler changes the code and the static files and keeps the data', async () => {
    writeFiles(project, { 'src/index.js': workerSource('second'), 'public/more.html': 'more' })
    await runWrangler('deploy', '--message', 'second one')
    const answer = await readApi()
    assert.deepEqual([answer.label, answer.hits], ['second', 4])
    assert.equal((await askApi<{ kv: string }>('/api/read')).kv, 'precious')
    assert.equal((await askApp(world, 'counter', '/more')).text, 'more')
  })

  test('a secret that wrangler sets reaches the app, survives a deploy and can be deleted, and its value is never listed', async () => {
    writeFiles(project, { 'secrets.json': JSON.stringify({ SECRET: 'hidden-text', OTHER: 'x' }) })
    await runWrangler('secret', 'bulk', 'secrets.json')
    assert.equal((await readApi()).secret, 'hidden-text')
    await runWrangler('deploy')
    assert.equal((await readApi()).secret, 'hidden-text')
    const put = await wranglerFed(world, project, 'another-text', 'secret', 'put', 'SECRET')
    assert.equal(put.code, 0, put.output)
    assert.equal((await readApi()).secret, 'another-text')
    const list = await runWrangler('secret', 'list')
    assert.match(list, /SECRET[\s\S]*OTHER|OTHER[\s\S]*SECRET/)
    assert.doesNotMatch(list, /hidden-text|another-text/)
    const gone = await wranglerFed(world, project, 'y', 'secret', 'delete', 'OTHER')
    assert.equal(gone.code, 0, gone.output)
    assert.doesNotMatch(await runWrangler('secret', 'list'), /OTHER/)
  })

  test('a deployed script that does not start is refused with the reason, and the old version keeps serving', async () => {
    writeFiles(project, {
      'src/index.js': `${workerSource('broken')}\nthrow new Error('it breaks at the top')`,
    })
    const { code, output } = await wrangler(world, project, 'deploy')
    assert.notEqual(code, 0)
    assert.match(output, /it breaks at the top/)
    assert.match(output, /10021/)
    assert.equal((await readApi()).label, 'second')
  })

  test('wrangler uploads a worker version without deploying it, views it, and then deploys it', async () => {
    writeFiles(project, { 'src/index.js': workerSource('third') })
    await runWrangler('versions', 'upload', '--message', 'not yet')
    assert.equal((await readApi()).label, 'second')
    const [newest] = (await listVersions()).sort((a, b) => b.number - a.number)
    assert.match(await runWrangler('versions', 'view', newest?.id ?? ''), /not yet|COUNTER/)
    await runWrangler('versions', 'deploy', `${newest?.id}@100%`, '--yes')
    assert.equal((await readApi()).label, 'third')
  })

  test('wrangler rolls back to the first version of a worker and keeps the data', async () => {
    const first = (await listVersions()).find((version) => version.number === 1)
    const before = await readApi()
    await runWrangler('rollback', first?.id ?? '', '--yes', '--message', 'back to the first')
    const answer = await readApi()
    assert.deepEqual([answer.label, answer.hits], ['first', before.hits + 1])
    assert.match(await runWrangler('deployments', 'list'), /back to the first/)
  })

  test('a worker that wrangler deleted returns 404, and has no old Durable Objects once it is created again', async () => {
    await runWrangler('delete', '--force')
    assert.equal((await askApp(world, 'counter', '/api')).status, 404)
    const { result } = await api(world, 'GET', '/storage/kv/namespaces')
    const [{ id }] = result as [{ id: string }]
    writeFiles(project, {
      // A new worker inherits no binding, so name the existing namespace.
      'wrangler.jsonc': JSON.stringify({ ...CONFIG, kv_namespaces: [{ binding: 'KV', id }] }),
      'src/index.js': workerSource('again'),
    })
    await runWrangler('deploy')
    const answer = await readApi()
    assert.deepEqual([answer.label, answer.hits], ['again', 1])
    // A bucket does not belong to the worker, so it still exists.
    assert.equal((await askApi<{ r2: string }>('/api/read')).r2, 'precious')
  })

  test('after all deploys of these tests the account has exactly one resource of each kind', async () => {
    const { account } = world
    const held = (await control(world, 'GET', `/resources?account=${account.id}`)) as Record<string, object[]>
    const kinds = [
      'workers',
      'namespaces',
      'buckets',
      'kvNamespaces',
      'databases',
      'queues',
      'workflows',
      'schedules',
    ]
    assert.deepEqual(
      kinds.map((kind) => held[kind]?.length),
      kinds.map(() => 1),
    )
  })

  test('the local Cloudflare emulator implements every route that wrangler called in these tests', async () => {
    assert.deepEqual(await missingRoutes(world, 50), [])
  })
})
