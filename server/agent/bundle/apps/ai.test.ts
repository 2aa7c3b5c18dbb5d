import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { starterTree } from '../../source/tree.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { until } from '../../../releases/testing.ts'
import { Browser } from '../../testing/browser.ts'

const KIND = { type: 'object', required: ['kind'], properties: { kind: { enum: ['praise', 'question'] } } }
const MANIFEST = {
  slipway: 1,
  name: 'Notes',
  uses: ['auth', 'data', 'ai'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    diary: {
      partition: 'app',
      read: 'owner',
      write: 'owner',
      fields: { text: { type: 'text', similar: true }, mood: { type: 'text' } },
    },
    places: { partition: 'app', read: 'staff', write: 'nobody', fields: { name: { type: 'text' } } },
  },
  ai: [
    { task: 'summarize', system: 'Summarize.', access: 'public' },
    { task: 'kind', system: 'Name the kind.', access: 'public', schema: KIND },
    { task: 'own', system: 'Answer.', access: 'members' },
    { task: 'desk', system: 'Answer.', access: 'staff' },
    { task: 'hidden', system: 'Answer.' },
  ],
}
const ROUTES = `import { ai, ApiError, data } from '@slipway/app/server'
import { Hono } from 'hono'

const stock = { Fern: 3 }
const tools = {
  inStock: {
    description: 'How many plants of a name there are.',
    input: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    run({ name }) {
      if (name === 'Secret') throw new ApiError('forbidden', 'Not for you.')
      if (name === 'Broken') throw new Error('the shelf fell over')
      return stock[name] ?? 0
    },
  },
}
export const routes = new Hono()
routes.post('/run', async (c) => c.json(await ai.run(await c.req.json())))
routes.post('/tools', async (c) => c.json(await ai.run('How many ferns?', { tools })))
routes.post('/object', async (c) => c.json(await ai.object(${JSON.stringify(KIND)}, 'Is it nice?')))
routes.post('/stream', async () =>
  new Response(await ai.stream('one two three'), { headers: { 'content-encoding': 'identity' } }))
routes.post('/diary', async (c) => c.json({ id: (await data.as(c.req.raw).create('diary', await c.req.json())).id }))
const brief = (found) => found.map(({ record }) => record.text)
routes.post('/similar', async (c) => {
  const { collection = 'diary', to, limit } = await c.req.json()
  return c.json(brief(await ai.as(c.req.raw).similar(collection, to, { limit })))
})
routes.post('/similar-of-all', async (c) => c.json(brief(await ai.similar('diary', await c.req.json()))))
routes.post('/embed', async (c) => c.json(await ai.embed(await c.req.json())))
`
const TREE = new Map([
  ...starterTree('Notes'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['server/routes.ts', ROUTES],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])
const KEY = 'sk-canary-of-the-provider'
const RUNS = 60

interface Asked {
  prompt: string
  system: string
  model?: string
  gateway?: string
  key?: string
  max?: number
  messages: { role: string; content: string }[]
}
interface AppResponse {
  ok?: boolean
  data?: unknown
  error?: { code: string; message: string }
  text?: string
}

/** All tests share one app and its AI budget. So each test first reads the used budget and then checks the increase. */
describe('an app that asks models', () => {
  let app: RunningApp
  const logs: string[] = []
  const variables = {
    AI_MODEL: '@cf/test/model',
    AI_GATEWAY: 'notes-ai',
    AI_MONTHLY_RUNS: String(RUNS),
    AI_MAX_TOKENS: '99',
  }
  const start = (more: Record<string, string> = {}) =>
    startApp(TREE, {
      enabled: ['auth', 'data', 'ai'],
      variables: { ...variables, ...more },
      onLog: (line) => logs.push(line),
    })
  before(async () => {
    app = await start()
  })
  after(() => app.stop())
  beforeEach(async () => void (await asked()))

  const script = (...answers: object[]) => app.script(answers)
  const asked = async () => (await (await app.ask('models', '/')).json()) as Asked[]
  const used = async () => (await app.operate<{ month: string; used: number }>('aiSpend')).used
  async function post(
    path: string,
    body: unknown = {},
  ): Promise<{ status: number; json: AppResponse; headers: Headers }> {
    const response = await app.fetch(path, { method: 'POST', body: JSON.stringify(body) })
    return {
      status: response.status,
      json: (await response.json()) as AppResponse,
      headers: response.headers,
    }
  }
  const task = (name: string, input: unknown = 'a note') => post(`/_app/ai/${name}`, { input })

  test("an AI task calls the model with the task's instruction, token limit and AI gateway, and uses one run of the budget", async () => {
    const was = await used()
    await script({ text: 'Short.' })
    assert.deepEqual((await task('summarize')).json.data, { text: 'Short.' })
    const [{ messages: _, ...sent } = { messages: [] }] = await asked()
    assert.deepEqual(sent, {
      system: 'Summarize.',
      prompt: 'a note',
      model: '@cf/test/model',
      gateway: 'notes-ai',
      max: 99,
    })
    assert.equal(await used(), was + 1)
  })

  test("only people whom an AI task's declaration names can call the task, and a refused call counts as no run", async () => {
    const was = await used()
    const codes = async () => {
      const answers = await Promise.all(['own', 'desk', 'hidden', 'unknown'].map((name) => task(name)))
      return answers.map(({ json }) => json.error?.code)
    }
    assert.deepEqual(await codes(), ['unauthorized', 'unauthorized', 'not_found', 'not_found'])
    const ada = new Browser(app)
    await ada.call('POST', '/_app/auth/sign-up', {
      email: 'ada@example.test',
      password: 'Ada likes apples',
      name: 'Ada',
    })
    const asAda = async (name: string) => (await ada.call('POST', `/_app/ai/${name}`, { input: 'Hi' })).status
    assert.deepEqual([await asAda('own'), await asAda('desk'), await asAda('hidden')], [200, 403, 404])
    assert.equal(await used(), was + 1)
  })

  test('an AI task refuses input that is missing, empty or too long before it calls a model', async () => {
    const was = await used()
    for (const body of [{}, { input: null }, { input: '' }, { input: 'x'.repeat(100_001) }]) {
      const { status, json } = await post('/_app/ai/summarize', body)
      assert.deepEqual([status, json.error?.code], [400, 'invalid_request'])
    }
    assert.equal((await post('/api/run', { prompt: 'x'.repeat(200_001) })).status, 400)
    for (const texts of [[], [''], Array(101).fill('a'), 'a'])
      assert.equal((await post('/api/embed', texts)).status, 400)
    assert.deepEqual([await asked(), await used()], [[], was])
  })

  test("a model response that does not fit an AI task's schema is requested again with the error, and counts as a second run", async () => {
    const was = await used()
    await script({ text: '```json\n{"kind":"shout"}\n```' }, { value: { kind: 'praise' } })
    assert.deepEqual((await task('kind')).json.data, { kind: 'praise' })
    const [first, second] = await asked()
    assert.match(first?.system ?? '', /^Name the kind\.\n\nAnswer only with JSON that fits/)
    assert.match(second?.prompt ?? '', /answer\.kind must be one of/)
    await script({ text: 'no' }, { text: 'still no' })
    const { status, json } = await post('/api/object')
    assert.deepEqual([status, json.error?.code], [502, 'model_error'])
    assert.equal(await used(), was + 4)
  })

  test('the model can call app functions, gets their results and errors, and must reply after five rounds of calls', async () => {
    const call = (name: string, given: object) => ({ call: { name, arguments: given } })
    await script(
      call('inStock', { name: 'Fern' }),
      call('inStock', { name: 'Secret' }),
      call('inStock', { name: 'Broken' }),
      call('inStock', { count: 1 }),
      call('sell', {}),
      { text: 'Three.' },
    )
    const { json } = await post('/api/tools')
    assert.equal(json.text, 'Three.')
    const last = (await asked()).at(-1)
    assert.deepEqual(
      last?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
      [
        '3',
        '{"error":"Not for you."}',
        '{"error":"it failed"}',
        '{"error":"input.name is missing"}',
        '{"error":"there is no such function"}',
      ],
    )
    assert.ok(logs.some((line) => line.includes('the shelf fell over')))
  })

  test('a streamed AI task counts as one run, and an interrupted stream is an error', async () => {
    const was = await used()
    const pieces: string[] = []
    const { body } = await app.fetch('/api/stream', { method: 'POST', body: '{}' })
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>)
      pieces.push(Buffer.from(piece).toString())
    assert.equal(pieces.join(''), 'one two three')
    const streamed = await app.fetch('/_app/ai/summarize?stream=1', {
      method: 'POST',
      body: '{"input":"a b"}',
    })
    assert.equal(await streamed.text(), 'a b')
    await script({ text: 'half of', isCut: true })
    // The abort may arrive before or after the first byte, so either the fetch or the read of the body rejects.
    await assert.rejects(
      app.fetch('/api/stream', { method: 'POST', body: '{}' }).then((broken) => broken.text()),
    )
    assert.equal(await used(), was + 3)
  })

  test('an AI call whose reader disconnects during the stream still counts as one run of the budget', async () => {
    const was = await used()
    await script({ isEndless: true })
    const { body } = await app.fetch('/api/stream', { method: 'POST', body: '{}' })
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await reader.cancel()
    assert.equal(await used(), was + 1)
  })

  test('the embeddings of strings that share words are closer to each other than the embeddings of unrelated strings', async () => {
    const { json } = await post('/api/embed', ['a red fern', 'a green fern', 'diesel engine'])
    const [a = [], b = [], c = []] = json as unknown as number[][]
    const near = (one: number[], other: number[]) =>
      one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0)
    assert.ok(near(a, b) > near(a, c))
  })

  test('a semantic search returns only records the caller may read, and indexing four records takes at most two model runs', async () => {
    const [ben, eve, visitor] = [new Browser(app), new Browser(app), new Browser(app)]
    for (const [person, name] of [
      [ben, 'ben'],
      [eve, 'eve'],
    ] as const)
      await person.signUp(name)
    const was = await used()
    const write = async (person: Browser, text: string) =>
      ((await person.call('POST', '/api/diary', { text })) as unknown as { id: string }).id
    const fern = await write(ben, 'a red fern')
    for (const text of ['a green fern in the shade', 'diesel engine']) await write(ben, text)
    const hers = await write(eve, 'a red fern of Eve')
    const all = async () => (await post('/api/similar-of-all', { id: fern })).json as unknown as string[]
    await until(async () => (await all()).length === 3)
    assert.deepEqual((await all())[0], 'a red fern of Eve')
    assert.ok((await used()) - was <= 2)

    const similar = async (who: Browser, ask: object) => {
      const answer = await who.call('POST', '/api/similar', ask)
      return answer.error?.code ?? (Object.values(answer).slice(0, -1) as unknown)
    }
    assert.deepEqual(await similar(ben, { to: { id: fern } }), ['a green fern in the shade', 'diesel engine'])
    assert.deepEqual(await similar(eve, { to: { text: 'fern' } }), ['a red fern of Eve'])
    assert.deepEqual(await similar(ben, { to: { text: 'engine of a car' }, limit: 1 }), ['diesel engine'])
    assert.equal(await similar(ben, { to: { id: hers } }), 'not_found')
    const before = await used()
    assert.equal(await similar(visitor, { to: { text: 'fern' } }), 'unauthorized')
    assert.equal(await used(), before)
    assert.equal(await similar(ben, { collection: 'places', to: { id: fern } }), 'forbidden')
    for (const limit of [0, 51])
      assert.equal(await similar(ben, { to: { id: fern }, limit }), 'invalid_request')
  })

  test("a failed model call counts as no run, and the prompt and the provider's error text are neither shown nor logged", async () => {
    const was = await used()
    await script({ fails: 5004 }, { fails: 5007 }, { fails: 3040 })
    const prompt = 'my secret is canary-4711'
    const messages: (string | undefined)[] = []
    for (let i = 0; i < 3; i++) {
      const { status, json } = await task('summarize', prompt)
      assert.deepEqual([status, json.error?.code], [502, 'model_error'])
      messages.push(json.error?.message)
    }
    assert.match(messages.join('|'), /failed \(5004\).*does not know the model.*no more requests/)
    await assert.rejects(
      app.script([{ fails: 5004 }]).then(() => app.operate('aiRun', prompt)),
      /model_error/,
    )
    assert.equal(await used(), was)
    assert.ok(!logs.join('').includes('canary-4711'))
  })

  test('of 200 concurrent AI calls exactly as many succeed as the monthly budget has model calls left', async () => {
    const left = RUNS - (await used())
    assert.ok(left > 0)
    const answers = await Promise.all(Array.from({ length: 200 }, () => post('/api/run', { prompt: 'Hi' })))
    assert.equal(answers.filter(({ status }) => status === 200).length, left)
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(refused.length, 200 - left)
    assert.equal((await asked()).length, left)
    const now = new Date()
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
    const wait = Number(refused[0]?.headers.get('retry-after'))
    assert.ok(Math.abs(Date.now() + wait * 1000 - next) < 120_000)
    await assert.rejects(app.operate('aiRun', 'Hi'), /rate_limited/)
    assert.equal(await used(), RUNS)
  })

  test('a model of a provider other than Cloudflare is called through the AI gateway with a key that no log or response contains', async () => {
    await app.stop()
    app = await start({ AI_MODEL: 'openai/gpt-5-mini', AI_PROVIDER_KEY: KEY })
    await script({ text: 'From elsewhere.' }, { fails: 401 })
    assert.equal((await post('/api/run', { prompt: 'Hi' })).json.text, 'From elsewhere.')
    const [sent] = await asked()
    assert.deepEqual(
      [sent?.model, sent?.gateway, sent?.key, sent?.max],
      ['openai/gpt-5-mini', 'notes-ai', `Bearer ${KEY}`, 99],
    )
    const { status, json } = await post('/api/run', { prompt: 'Hi' })
    assert.deepEqual([status, json.error?.message], [502, 'The model provider refused the key.'])
    assert.ok(!logs.join('').includes(KEY) && !JSON.stringify(json).includes(KEY))
    await app.stop()
    app = await start({ AI_MODEL: 'openai/gpt-5-mini' })
    assert.equal((await post('/api/run', { prompt: 'Hi' })).status, 409)
  })
})
