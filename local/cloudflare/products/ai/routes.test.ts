import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { modelRoutes } from '../../../model/routes.ts'
import { testCloud } from '../../../testing/cloud.ts'
import { issueToken } from '../../accounts/tokens.ts'
import { localBackend } from './backend.ts'
import { countGatewayRun } from './gateways.ts'
import { AiRefusal } from './refusal.ts'
import { runModel } from './run.ts'

const TEXT_MODEL = '@cf/meta/llama-3.1-8b-instruct'
const VECTOR_MODEL = '@cf/baai/bge-small-en-v1.5'

const model = modelRoutes({ controlToken: null })
const backend = localBackend((path, init) => model.request(path, init))

describe('models of Workers AI', () => {
  const runToResult = async (name: string, inputs: object) => {
    const ran = await runModel(backend, name, inputs)
    assert.ok('value' in ran)
    return ran.value as Record<string, unknown>
  }
  const assertRefused = (name: string, inputs: object, code: number) =>
    assert.rejects(runModel(backend, name, inputs), (error) => {
      assert.ok(error instanceof AiRefusal)
      assert.equal(error.code, code)
      return true
    })

  test('a text model replies to a prompt and to a conversation, and reports the number of tokens used', async () => {
    assert.equal((await runToResult(TEXT_MODEL, { prompt: 'Good morning' }))['response'], 'Good morning')
    const messages = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'three' },
    ]
    const { response, usage } = await runToResult(TEXT_MODEL, { messages })
    assert.equal(response, 'three')
    assert.ok((usage as { total_tokens: number }).total_tokens > 0)
  })

  test("an AI run with an unknown model, missing text or invalid input returns Cloudflare's error codes", async () => {
    await assertRefused('@cf/none/none', { prompt: 'x' }, 5007)
    await assertRefused(TEXT_MODEL, {}, 5006)
    await assertRefused(TEXT_MODEL, { messages: [] }, 5006)
    await assertRefused(TEXT_MODEL, { prompt: 5 }, 5006)
    assert.equal(
      (await runToResult(TEXT_MODEL, { prompt: 'a prompt', messages: [] }))['response'],
      'a prompt',
    )
    await assertRefused(VECTOR_MODEL, { text: [] }, 5006)
    await assertRefused(VECTOR_MODEL, { text: Array.from({ length: 101 }, () => 'x') }, 5006)
    await assertRefused(TEXT_MODEL, { messages: [{ role: 'guest', content: 'x' }] }, 5004)
  })

  test('an AI response for a JSON schema is returned as an object with the required fields, not as text', async () => {
    const json_schema = {
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 10 },
        kind: { enum: ['task', 'note'] },
        stars: { type: 'integer', minimum: 3 },
        tags: { type: 'array', items: { type: 'string' }, minItems: 2 },
        extra: { type: 'boolean' },
      },
      required: ['title', 'kind', 'stars', 'tags'],
    }
    const { response } = await runToResult(TEXT_MODEL, {
      prompt: 'x',
      response_format: { type: 'json_schema', json_schema },
    })
    const { title, ...others } = response as { title: string }
    assert.ok(title.length >= 10)
    assert.deepEqual(others, { kind: 'task', stars: 3, tags: ['sample', 'sample'] })
  })

  test("an embedding model returns one vector per text, with the model's number of dimensions", async () => {
    const one = await runToResult(VECTOR_MODEL, { text: 'a fern' })
    assert.deepEqual(one['shape'], [1, 384])
    const many = await runToResult(VECTOR_MODEL, { text: ['a fern', 'a rose', 'a fern'] })
    assert.deepEqual(many['shape'], [3, 384])
    const [first, second, third] = many['data'] as number[][]
    assert.deepEqual(first, third)
    assert.notDeepEqual(first, second)
  })

  test('a streamed AI response has the same text however its bytes are split into chunks', async () => {
    const parseEvents = (text: string) =>
      Array.from(text)
        .map((piece) => `data: ${JSON.stringify({ choices: [{ delta: { content: piece } }] })}\n\n`)
        .join('')
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        async (text, size) => {
          const bytes = new TextEncoder().encode(`${parseEvents(text)}data: [DONE]\n\n`)
          const body = new ReadableStream<Uint8Array>({
            start(controller) {
              for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
              controller.close()
            },
          })
          const ran = await runModel({ ...backend, chat: async () => new Response(body) }, TEXT_MODEL, {
            prompt: 'x',
            stream: true,
          })
          assert.ok('events' in ran)
          const lines = (await new Response(ran.events).text()).split('\n\n').filter((line) => line !== '')
          assert.equal(lines.pop(), 'data: [DONE]')
          const said = lines.map(
            (line) => (JSON.parse(line.slice('data: '.length)) as { response: string }).response,
          )
          assert.equal(said.join(''), text)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('an OpenAI-compatible stream gives the same text in every valid format of server-sent events', async () => {
    const eventOf = (content: string) => JSON.stringify({ choices: [{ delta: { content } }] })
    const [first, second] = ['one ', 'two'].map(eventOf)
    const streams = [
      `data: ${first}\n\ndata: ${second}\n\ndata: [DONE]\n\n`,
      `data:${first}\n\ndata:${second}\n\ndata:[DONE]\n\n`,
      `data: ${first}\r\n\r\ndata: ${second}\r\n\r\ndata: [DONE]\r\n\r\n`,
      `: a comment\n\nevent: chunk\ndata: ${first}\n\nid: 2\ndata: ${second}\n\n`,
      `data: ${first}\n\ndata: ${second}`,
      `data: ${first}\n\ndata: {"choices":[]}\n\ndata: {"usage":{}}\n\ndata: nothing\n\ndata: ${second}\n\n`,
    ]
    for (const stream of streams) {
      const chat = async () => new Response(stream)
      const ran = await runModel({ ...backend, chat }, TEXT_MODEL, { prompt: 'x', stream: true })
      assert.ok('events' in ran)
      assert.equal(
        await new Response(ran.events).text(),
        'data: {"response":"one "}\n\ndata: {"response":"two"}\n\ndata: [DONE]\n\n',
        stream,
      )
    }
  })
})

describe('a stream of Workers AI with tool calls', () => {
  const streamOf = async (chunks: object[]) => {
    const stream = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    const chat = async () => new Response(stream.map((data) => `data: ${data}\n\n`).join(''))
    const ran = await runModel({ ...backend, chat }, TEXT_MODEL, { prompt: 'x', stream: true })
    assert.ok('events' in ran)
    const lines = (await new Response(ran.events).text()).split('\n\n').filter((line) => line !== '')
    assert.equal(lines.pop(), 'data: [DONE]')
    return lines.map((line) => JSON.parse(line.slice('data: '.length)) as object)
  }
  const delta = (tool_calls: object[], content: string | null = null) => ({
    choices: [{ delta: { content, tool_calls } }],
  })

  test('the pieces of each streamed tool call are joined and sent before the end, with the number of tokens used', async () => {
    const events = await streamOf([
      delta([{ index: 0, id: 'a', function: { name: 'read', arguments: '' } }], 'Let me see.'),
      delta([{ index: 0, function: { arguments: '{"path":' } }]),
      delta([{ index: 1, id: 'b', function: { name: 'list', arguments: '{}' } }]),
      delta([{ index: 0, function: { arguments: '"a.ts"}' } }]),
      { choices: [], usage: { total_tokens: 7 } },
    ])
    assert.deepEqual(events, [
      { response: 'Let me see.' },
      {
        response: '',
        tool_calls: [
          { name: 'read', arguments: { path: 'a.ts' } },
          { name: 'list', arguments: {} },
        ],
      },
      { response: '', usage: { total_tokens: 7 } },
    ])
  })

  test('streamed tool calls without an index stay separate, and arguments that are not JSON stay strings', async () => {
    const calls = [
      { function: { name: 'read', arguments: '{"path":"a"}' } },
      { function: { name: 'read', arguments: '{"path":' } },
    ]
    assert.deepEqual(await streamOf([delta(calls)]), [
      {
        response: '',
        tool_calls: [
          { name: 'read', arguments: { path: 'a' } },
          { name: 'read', arguments: '{"path":' },
        ],
      },
    ])
  })
})

describe('AI gateways', () => {
  const cloud = testCloud()
  after(() => cloud.close())

  const callGateways = async (method: string, path = '', body?: object, token?: string) => {
    const { status, errors, result } = await cloud.call(method, `/A/ai-gateway/gateways${path}`, body, token)
    return { status, code: errors[0]?.code, result: result as Record<string, unknown> }
  }
  const countRun = (id: string) => countGatewayRun(cloud.store, cloud.accountId, id, cloud.now())
  const isLimited = (error: unknown) => error instanceof AiRefusal && error.status === 429

  test('an AI gateway gets default settings, cannot be created twice, and can be changed and deleted', async () => {
    const made = await callGateways('POST', '', { id: 'shop' })
    assert.deepEqual(
      [made.status, made.result['collect_logs'], made.result['rate_limiting_technique']],
      [200, true, 'fixed'],
    )
    const again = await callGateways('POST', '', { id: 'shop' })
    assert.deepEqual([again.status, again.code], [409, 7001])
    cloud.clock.advance(1000)
    const changed = await callGateways('PUT', '/shop', { cache_ttl: 60 })
    assert.equal(changed.result['cache_ttl'], 60)
    assert.notEqual(changed.result['modified_at'], changed.result['created_at'])
    assert.equal((await callGateways('DELETE', '/shop')).status, 200)
    for (const method of ['GET', 'DELETE']) {
      const gone = await callGateways(method, '/shop')
      assert.deepEqual([gone.status, gone.code], [404, 7002])
    }
  })

  test('an AI gateway with an invalid name or invalid settings is refused', async () => {
    for (const body of [
      { id: 'Shop' },
      { id: 'a--b' },
      { id: '-a' },
      { id: 'x'.repeat(65) },
      {},
      { id: 'ok', cache_ttl: -1 },
      { id: 'ok', rate_limiting_technique: 'random' },
    ])
      assert.equal((await callGateways('POST', '', body)).status, 400, JSON.stringify(body))
  })

  test('a token without the permission for AI gateways can neither read nor create one', async () => {
    const scopes = ['ai.write']
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: cloud.accountId, scopes, at: 1 })
    assert.equal((await callGateways('GET', '', undefined, secret)).status, 403)
    assert.equal((await callGateways('POST', '', { id: 'mine' }, secret)).status, 403)
  })

  test('requests over the rate limit of an AI gateway are refused until its time window ends', async () => {
    await callGateways('POST', '', { id: 'narrow', rate_limiting_interval: 10, rate_limiting_limit: 2 })
    countRun('narrow')
    countRun('narrow')
    assert.throws(() => countRun('narrow'), isLimited)
    cloud.clock.advance(9_999)
    assert.throws(() => countRun('narrow'), isLimited)
    cloud.clock.advance(1)
    countRun('narrow')
  })

  test('an AI gateway without a rate limit accepts every request, and a missing gateway refuses every request', async () => {
    await callGateways('POST', '', { id: 'wide' })
    for (let n = 0; n < 50; n++) countRun('wide')
    assert.throws(
      () => countRun('none'),
      (error) => error instanceof AiRefusal && error.code === 2001,
    )
  })

  test('AI models can be searched by name and task, in pages', async () => {
    const searchModels = async (query: string) =>
      ((await cloud.call('GET', `/A/ai/models/search?${query}`)).result as { name: string }[]).map(
        ({ name }) => name,
      )
    assert.deepEqual(await searchModels('search=bge-small'), [VECTOR_MODEL])
    assert.equal((await searchModels('task=Text%20Embeddings&per_page=50')).length, 4)
    assert.deepEqual(await searchModels('search=none'), [])
    assert.deepEqual(await searchModels('page=99'), [])
    const unknown = await cloud.call('POST', '/A/ai/run/@cf/none/none', { prompt: 'x' })
    assert.deepEqual(
      [unknown.errors[0]?.code, unknown.errors[0]?.message],
      [5007, 'AiError: No such model @cf/none/none or task'],
    )
  })
})
