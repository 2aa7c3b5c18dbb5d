import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { tailWorkerSource } from './worker-source.ts'

type Item = Record<string, unknown> & { outcome: string; logs: unknown[]; exceptions: unknown[] }
interface TailModule {
  Tail: {
    tail(
      items: Item[],
      env: object,
      ctx: { props: { script: string; isObserved: boolean } },
    ): Promise<void> | undefined
  }
  default: { fetch(request: Request): Promise<Response> }
}

const URL_OPTIONS = { url: 'http://shop.test/a', method: 'GET', headers: { a: '1' } }

/** Loads the source as a new module, whose state no other test shares. */
let copies = 0
const loadWorker = async () =>
  (await import(
    `data:text/javascript,${encodeURIComponent(`${tailWorkerSource}\n// ${copies++}`)}`
  )) as TailModule

describe('the tail worker, which forwards the reports of the workers of its process', () => {
  let worker: TailModule
  let bodies: { script: string; isObserved: boolean; item: Item }[][]
  /** The workers with a tail session, as the next response lists them; null makes the request fail. */
  let answer: string[] | null
  let listening: string[]
  beforeEach(async () => {
    worker = await loadWorker()
    bodies = []
    answer = []
    listening = []
    mock.timers.enable({ apis: ['setTimeout'] })
  })
  afterEach(() => mock.timers.reset())

  const host = {
    fetch: async (_url: string, { body }: { body: string }) => {
      if (answer === null) throw new Error('the process is ending')
      bodies.push(JSON.parse(body) as (typeof bodies)[number])
      return Response.json(answer)
    },
  }
  const item = (change: object = {}): Item => ({
    outcome: 'ok',
    truncated: false,
    executionModel: 'stateless',
    entrypoint: null,
    eventTimestamp: 1,
    event: null,
    logs: [],
    exceptions: [],
    ...change,
  })
  const line = (...message: unknown[]) => item({ logs: [{ message, level: 'log', timestamp: 2 }] })
  const tail = (items: Item[], script = 'shop') =>
    worker.Tail.tail(items, { HOST: host, LISTENING: listening }, { props: { script, isObserved: true } })
  /** Waits until all pending promise callbacks have run. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const pass = async (ms: number) => {
    mock.timers.tick(ms)
    await settle()
  }
  const counts = () => bodies.map((body) => body.length)
  const messages = () =>
    bodies.flat().map((report) => (report.item.logs[0] as { message: unknown[] }).message)

  test('the tail worker forwards its first report immediately, and the reports of the next 200 ms in one request', async () => {
    void tail([line('one')])
    await settle()
    assert.deepEqual(counts(), [1])
    void tail([line('two'), line('three')])
    void tail([line('four')], 'blog')
    await pass(199)
    assert.deepEqual(counts(), [1])
    await pass(1)
    assert.deepEqual(counts(), [1, 3])
    assert.deepEqual(
      bodies[1]?.map(({ script }) => script),
      ['shop', 'shop', 'blog'],
    )
  })

  test('an invocation without log lines and failures is reported only when its worker has a tail session', async () => {
    assert.equal(tail([item(), item()]), undefined)
    void tail([item(), line('one')])
    await settle()
    assert.deepEqual(counts(), [1])
    await pass(200)
    await worker.default.fetch(new Request('http://x/', { method: 'POST', body: '["shop"]' }))
    void tail([item()])
    void tail([item()], 'blog')
    await settle()
    await pass(200)
    assert.deepEqual(counts(), [1, 1])
    void tail([item({ outcome: 'exception' })], 'blog')
    await settle()
    assert.equal(bodies[2]?.[0]?.script, 'blog')
  })

  test('the list of tail sessions from the process start applies until the response to a report contains a new list', async () => {
    listening = ['shop']
    answer = ['blog']
    void tail([item()])
    await settle()
    await pass(200)
    void tail([item()])
    void tail([item()], 'blog')
    await settle()
    assert.deepEqual(
      bodies.map((body) => body.map(({ script }) => script)),
      [['shop'], ['blog']],
    )
  })

  test("a tail worker's report contains only the fields that a tail shows, and no request or response bodies", async () => {
    const event = {
      request: { ...URL_OPTIONS, cf: { country: 'DE' }, secret: 1 },
      response: { status: 200, body: 'x' },
    }
    const exceptions = [{ name: 'Error', message: 'broken', stack: 'at x', timestamp: 3, more: 1 }]
    void tail([
      item({ event, exceptions, unknown: 1 }),
      item({ event: { queue: 'jobs', batchSize: 1 }, outcome: 'exception' }),
    ])
    await settle()
    const packed = { request: { ...URL_OPTIONS, cf: {} }, response: { status: 200 } }
    const [shown] = exceptions.map(({ more: _more, ...rest }) => rest)
    assert.deepEqual(
      bodies[0]?.map((report) => report.item),
      [
        item({ event: packed, exceptions: [shown] }),
        item({ event: { queue: 'jobs', batchSize: 1 }, outcome: 'exception' }),
      ],
    )
  })

  test('each value of a log line is cut to 16,384 characters, and a value that JSON cannot represent is sent as text', async () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const long = 'x'.repeat(16_385)
    void tail([line(long, 'x'.repeat(16_384), { long }, { a: 1 }, undefined, 7n, circular, null)])
    await settle()
    assert.deepEqual(messages(), [
      [
        'x'.repeat(16_384),
        'x'.repeat(16_384),
        JSON.stringify({ long }).slice(0, 16_384),
        { a: 1 },
        'undefined',
        '7',
        '[object Object]',
        null,
      ],
    ])
  })

  test('a tail worker drops reports beyond four million characters in 200 ms, and forwards later ones again', async () => {
    void tail([line('first')])
    await settle()
    for (let sent = 0; sent < 300; sent++) void tail([line('x'.repeat(16_384))])
    await pass(200)
    const reportChars = JSON.stringify(bodies[1]?.[0]).length
    assert.deepEqual(counts(), [1, Math.floor(4_000_000 / reportChars)])
    void tail([line('later')])
    await pass(200)
    assert.deepEqual(messages().at(-1), ['later'])
  })

  test('a tail worker drops a report that it cannot deliver, and sends the next report', async () => {
    answer = null
    await tail([line('lost')])
    answer = []
    void tail([line('next')])
    await settle()
    assert.deepEqual(messages(), [['next']])
  })
})
