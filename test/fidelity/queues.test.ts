import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Cloudflare } from 'cloudflare'
import { api, askApp, control, deployWorker, startTestWorld, type TestWorld, workerUpload } from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

/**
 * A worker that records its messages. While the flag `open` is off, its consumer waits, so that a test can kill
 * the process while deliveries are in progress.
 */
const CLERK = `
import { DurableObject } from 'cloudflare:workers'
export class Book extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env)
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS entries (text TEXT)')
  }
  keep(name, value) { return this.ctx.storage.put(name, value) }
  async isOpen() { return (await this.ctx.storage.get('open')) ?? true }
  async begun() { return (await this.ctx.storage.get('begun')) ?? 0 }
  async begin() { await this.keep('begun', (await this.begun()) + 1) }
  write(texts) { for (const text of texts) this.ctx.storage.sql.exec('INSERT INTO entries VALUES (?)', text) }
  read() { return [...this.ctx.storage.sql.exec('SELECT text FROM entries ORDER BY rowid')].map(({ text }) => text) }
}
const show = (body) => body instanceof Map ? 'map of ' + [...body].map(([key, value]) => key + value.getTime()) : String(body.text ?? body)
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    const book = env.BOOK.getByName('all')
    if (pathname === '/values') {
      await env.LETTERS.send(new Map([['at', new Date(7)]]), { contentType: 'v8' })
      await env.LETTERS.sendBatch([{ body: 'a text', contentType: 'text' }, { body: { text: 'json' } }])
    }
    if (pathname === '/many') {
      const count = Number(searchParams.get('count'))
      const texts = Array.from({ length: count }, (_, n) => searchParams.get('from') + n)
      await env.LETTERS.sendBatch(texts.map((text) => ({ body: { text } })))
      return Response.json(texts)
    }
    if (pathname === '/open') await book.keep('open', searchParams.get('to') === 'yes')
    if (pathname === '/begun') return Response.json(await book.begun())
    if (pathname === '/refused') return new Response(await env.LETTERS.send('x'.repeat(200_000)).catch(String))
    return Response.json(await book.read())
  },
  async queue(batch, env) {
    const book = env.BOOK.getByName('all')
    await book.begin()
    while (!(await book.isOpen())) await scheduler.wait(20)
    const texts = batch.messages.map(({ body }) => show(body))
    if (texts.includes('throws')) throw new Error('it cannot read this')
    await book.write(texts)
  },
}`
const METADATA = {
  bindings: [
    { type: 'durable_object_namespace', name: 'BOOK', class_name: 'Book' },
    { type: 'queue', name: 'LETTERS', queue_name: 'letters' },
  ],
  migrations: { new_tag: 'v1', new_sqlite_classes: ['Book'] },
}

describe('queues of the local cloud', () => {
  let world: TestWorld
  let client: Cloudflare
  const ids: Record<string, string> = {}
  const accountParams = () => ({ account_id: world.account.id })
  const connectClient = () =>
    new Cloudflare({
      apiToken: world.account.token,
      baseURL: `${world.restUrl}/cloudflare/client/v4`,
      maxRetries: 0,
    })

  before(async () => {
    world = await startTestWorld()
    client = connectClient()
    for (const name of ['letters', 'dead-letters', 'by-hand']) {
      const queue = await client.queues.create({ ...accountParams(), queue_name: name })
      ids[name] = queue.queue_id ?? ''
    }
    const answer = await deployWorker(world, 'clerk', workerUpload(CLERK, METADATA))
    assert.ok(answer.success, JSON.stringify(answer.errors))
    await client.queues.consumers.create(ids['letters'] ?? '', {
      ...accountParams(),
      type: 'worker',
      script_name: 'clerk',
      dead_letter_queue: 'dead-letters',
      settings: { batch_size: 2, max_wait_time_ms: 50, max_retries: 1, max_concurrency: 3 },
    })
  })
  after(() => world.remove())

  const askClerk = async (path: string) => {
    const { status, text } = await askApp(world, 'clerk', path)
    assert.equal(status, 200, text)
    return text
  }
  const readEntries = async () => JSON.parse(await askClerk('/')) as string[]
  async function untilWritten(texts: string[]): Promise<void> {
    const deadline = performance.now() + 40_000
    for (;;) {
      const written = new Set(await readEntries())
      const missing = texts.filter((text) => !written.has(text))
      if (missing.length === 0) return
      assert.ok(performance.now() < deadline, `never delivered: ${missing.join()}`)
      await sleep(50)
    }
  }

  test('message values of every type reach a queue consumer unchanged, and a too large message is refused', async () => {
    await askClerk('/values')
    await untilWritten(['map of at7', 'a text', 'json'])
    assert.match(await askClerk('/refused'), /200002 bytes exceeds limit/)
  })

  test('a queue message that always fails ends in the dead letter queue', async () => {
    await client.queues.messages.push(ids['letters'] ?? '', {
      ...accountParams(),
      body: 'throws',
      content_type: 'text',
    })
    const countDead = async () =>
      (await client.queues.getMetrics(ids['dead-letters'] ?? '', accountParams())).backlog_count
    await waitUntil(async () => (await countDead()) > 0)
    assert.equal(await countDead(), 1)
  })

  test('the Cloudflare SDK pushes, pulls, acknowledges and purges queue messages', async () => {
    const id = ids['by-hand'] ?? ''
    await client.queues.consumers.create(id, { ...accountParams(), type: 'http_pull' })
    await client.queues.messages.bulkPush(id, {
      ...accountParams(),
      messages: [
        { body: 'one', content_type: 'text' },
        { body: { two: 2 }, content_type: 'json' },
      ],
    })
    const { messages = [] } = await client.queues.messages.pull(id, { ...accountParams(), batch_size: 10 })
    assert.deepEqual(
      messages.map(({ body }) => body),
      ['one', '{"two":2}'],
    )
    const acked = await client.queues.messages.ack(id, {
      ...accountParams(),
      acks: [{ lease_id: messages[0]?.lease_id ?? '' }],
      retries: [{ lease_id: messages[1]?.lease_id ?? '' }],
    })
    assert.deepEqual([acked.ackCount, acked.retryCount], [1, 1])
    await client.queues.purge.start(id, { ...accountParams(), delete_messages_permanently: true })
    assert.equal((await client.queues.getMetrics(id, accountParams())).backlog_count, 0)
    const names: (string | undefined)[] = []
    for await (const queue of client.queues.list(accountParams())) names.push(queue.queue_name)
    assert.deepEqual(names, ['by-hand', 'dead-letters', 'letters'])
  })

  test('after kill -9 of an app and of the local Cloudflare emulator every acknowledged queue message is delivered', async () => {
    const sent: string[] = []
    const sendMany = async (from: string, count: number) =>
      sent.push(...(JSON.parse(await askClerk(`/many?from=${from}&count=${count}`)) as string[]))
    const countBegun = async () => Number(await askClerk('/begun'))
    const untilMoreBegun = async (before: number) => waitUntil(async () => (await countBegun()) > before)
    await askClerk('/open?to=no')
    const before = await countBegun()
    await sendMany('a', 30)
    await untilMoreBegun(before)
    // Count before the kill, because interrupted batches may begin again immediately. Other batches cannot begin while the consumer waits.
    const beforeNext = await countBegun()
    await control(world, 'POST', '/apps/clerk/kill', { account: world.account.id })
    await sendMany('b', 20)
    await untilMoreBegun(beforeNext)
    const { backlog_count: inHand } = await client.queues.getMetrics(ids['letters'] ?? '', accountParams())
    assert.equal(inHand, 50)
    await world.kill()
    await world.start()
    client = connectClient()
    await askClerk('/open?to=yes')
    await untilWritten(sent)
    const { backlog_count: dead } = await client.queues.getMetrics(ids['dead-letters'] ?? '', accountParams())
    assert.equal(dead, 1, 'an interrupted delivery is no failure of the message')
  })

  test('the messages of a paused queue are held while its worker is deployed again, and delivered when it resumes', async () => {
    const id = ids['letters'] ?? ''
    await client.queues.edit(id, { ...accountParams(), settings: { delivery_paused: true } })
    const sent = JSON.parse(await askClerk('/many?from=p&count=5')) as string[]
    await api(world, 'PUT', '/workers/scripts/clerk/secrets', { name: 'S', text: 's', type: 'secret_text' })
    assert.deepEqual(
      (await readEntries()).filter((text) => text.startsWith('p')),
      [],
    )
    await client.queues.edit(id, { ...accountParams(), settings: { delivery_paused: false } })
    await untilWritten(sent)
  })
})
