import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Client, type TestApp, testApp } from '../../testing/app.ts'
import { watchTables } from '../../testing/fingerprint.ts'
import { freePorts } from '../../testing/ports.ts'
import { findLocalModels, localServerAt } from './local.ts'
import { discoverModels } from './discover.ts'
import type { LocalModels, ModelFinding } from './record.ts'

const KEY = 'key-that-is-right'
const LIST = { data: [{ id: 'm-1' }, { id: 'qwen3-coder:30b' }, { id: 'text-embedding-3' }] }
const ANSWER = {
  id: '1',
  model: 'm-1',
  created: 1,
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
}

/** The response to a request; null when the server never responds. */
type Answered = Reply | null

interface Reply {
  status?: number
  retryAfter?: string
  /** A string is sent unchanged, any other value as JSON. */
  body: unknown
}

/** The responses of a provider that works. Each test overrides some of them. */
const usual = (path: string, authorization: string | undefined): Answered => {
  if (authorization !== `Bearer ${KEY}`) return { status: 401, body: { error: { message: 'No.' } } }
  if (path === '/v1/models') return { body: LIST }
  return path === '/v1/chat/completions' ? { body: ANSWER } : { status: 404, body: 'Not found' }
}

describe('looking up models by key or address', () => {
  let app: TestApp
  let person: Client
  let server: Server
  let origin: string
  /** An address at which no server is listening. */
  let gone: string
  let reply: typeof usual
  const seen: { path: string; headers: Record<string, unknown>; body: string }[] = []

  before(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const path = request.url ?? ''
        seen.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() })
        const answer = reply(path, request.headers.authorization)
        if (answer === null) return
        const { status = 200, retryAfter, body } = answer
        response.statusCode = status
        if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
        response.setHeader('content-type', 'application/json')
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [port] = await freePorts(1)
    gone = `http://127.0.0.1:${port}`
    app = await testApp({ localWorld: false, modelBaseUrl: null, outboundAllow: [origin, gone] })
  })
  beforeEach(async () => {
    person = await app.signUp()
    reply = usual
    seen.length = 0
  })
  after(async () => {
    await app.close()
    server.closeAllConnections()
    server.close()
  })

  const look = (question: object) => person.call<ModelFinding>('POST /connections/models/look', question)
  const refusal = async (question: object) => {
    const { status, error } = await look(question)
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], JSON.stringify(error))
    return error?.message ?? ''
  }

  test("a look-up of a key's models returns their list and the result of one call to the recommended model, and stores nothing", async () => {
    const isChanged = await watchTables(app.platform.pool)
    const { status, data } = await look({ baseUrl: `${origin}/v1`, key: KEY })
    assert.equal(status, 200)
    assert.deepEqual(
      { ...data, test: { ...data.test, latencyMs: null } },
      {
        service: null,
        name: new URL(origin).host,
        provider: 'openai-compatible',
        baseUrl: `${origin}/v1`,
        models: [
          { id: 'qwen3-coder:30b', recommended: true },
          { id: 'm-1', recommended: false },
        ],
        test: { model: 'qwen3-coder:30b', ok: true, latencyMs: null, error: null },
      },
    )
    assert.ok((data.test.latencyMs ?? -1) >= 0)
    assert.match(seen.at(-1)?.body ?? '', /"model":"qwen3-coder:30b"/)
    assert.ok(!(await isChanged()))
  })

  test('a look-up of models calls the model that the request names instead of the recommended model', async () => {
    const { data } = await look({ baseUrl: `${origin}/v1`, key: KEY, model: 'm-1' })
    assert.deepEqual([data.test.model, data.test.ok], ['m-1', true])
    assert.match(seen.at(-1)?.body ?? '', /"model":"m-1"/)
  })

  test('a look-up with the bare host of a model server finds the same models as a look-up with the full address', async () => {
    for (const baseUrl of [origin, `${origin}/`, `${origin}/v1/chat/completions`, `${origin}/v1/models`])
      assert.equal((await look({ baseUrl, key: KEY })).data.baseUrl, `${origin}/v1`, baseUrl)
  })

  test("the list of models is requested with the path and the key header of each provider's protocol", async () => {
    reply = () => ({ status: 500, body: '' })
    for (const service of ['anthropic', 'google', 'openai'])
      await look({ service, baseUrl: `${origin}/p`, key: KEY })
    const sent = seen.map(({ path, headers }) => [
      path,
      headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers['authorization'],
    ])
    assert.deepEqual(sent, [
      ['/p/models?limit=1000', KEY],
      ['/p/models?pageSize=1000', KEY],
      ['/p/models', `Bearer ${KEY}`],
    ])
  })

  test('only the models of Google’s list that generate text are returned, and the path before their names is removed', async () => {
    reply = (path) =>
      path.startsWith('/g/models?')
        ? {
            body: {
              models: [
                { name: 'models/gemini-2.5-pro', supportedGenerationMethods: ['generateContent'] },
                { name: 'models/aqa', supportedGenerationMethods: ['generateAnswer'] },
              ],
            },
          }
        : { body: { candidates: [{ content: { parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] } }
    const { data } = await look({ service: 'google', baseUrl: `${origin}/g`, key: KEY })
    assert.deepEqual([data.provider, data.models], ['google', [{ id: 'gemini-2.5-pro', recommended: true }]])
    assert.equal(data.test.ok, true, data.test.error ?? '')
    const wrong = {
      status: 400,
      body: { error: { message: 'API key not valid.', status: 'INVALID_ARGUMENT' } },
    }
    reply = () => wrong
    assert.match(
      await refusal({ service: 'google', baseUrl: `${origin}/g`, key: KEY }),
      /^key: Google refused it/,
    )
  })

  test('a wrong model key is reported as an error of the field key, even when the provider lists its models without a key', async () => {
    const wrong = { baseUrl: `${origin}/v1`, key: 'key-that-is-wrong' }
    assert.match(await refusal(wrong), /^key: .* refused it \(401\)/)
    reply = (path, key) => (path === '/v1/models' ? { body: LIST } : usual(path, key))
    assert.match(await refusal(wrong), /^key: .* refused it \(401\)/)
  })

  test('a missing model key is reported as an error of the field key', async () => {
    assert.match(await refusal({ baseUrl: `${origin}/v1` }), /^key: .* asks for a key/)
  })

  test('a model key with an unknown prefix is refused with a request to name its service, before anything is sent', async () => {
    assert.match(await refusal({ key: 'pk_live_1' }), /^service: .*say which provider/)
    assert.match(await refusal({}), /^key: is required/)
    assert.match(await refusal({ service: 'groq' }), /^key: is required/)
    assert.match(await refusal({ service: 'acme', key: KEY }), /^service: /)
    assert.match(await refusal({ key: 'gsk_ä b' }), /^key: .*copy it again/)
    assert.deepEqual(seen, [])
  })

  test('when a model server returns an empty list of models, no list or no response, the error names the field baseUrl', async () => {
    const baseUrl = `${origin}/v1`
    reply = () => ({ body: { data: [] } })
    assert.match(await refusal({ baseUrl, key: KEY }), /^baseUrl: .* has no models/)
    for (const body of ['<html>', '[]', '"x"', 'null', '{"data":7}']) {
      reply = () => ({ body })
      assert.match(await refusal({ baseUrl, key: KEY }), /^baseUrl: .*no list of models/, body)
    }
    reply = () => ({ body: { data: [null, 7, {}, { id: 7 }, { id: 'x'.repeat(5_000) }] } })
    assert.match(await refusal({ baseUrl, key: KEY }), /^baseUrl: .* has no models/)
    assert.match(await refusal({ baseUrl: `${gone}/v1` }), /^baseUrl: .* could not be reached/)
  })

  test('a model server that never responds is reported after the timeout as an error of the field baseUrl', async () => {
    reply = () => null
    const looking = discoverModels(
      { config: app.config, signal: AbortSignal.timeout(60_000) },
      { baseUrl: `${origin}/v1`, key: KEY },
      { listMs: 50 },
    )
    await assert.rejects(looking, {
      code: 'invalid_request',
      message: /^baseUrl: .* did not respond in time/,
    })
  })

  test('a 429 response of a model provider is reported as a model_error that says to try again, with the wait in Retry-After', async () => {
    reply = () => ({ status: 429, retryAfter: '20', body: '' })
    const { status, error, headers } = await look({ baseUrl: `${origin}/v1`, key: KEY })
    assert.deepEqual([status, error?.code, headers.get('retry-after')], [502, 'model_error', '20'])
    assert.match(error?.message ?? '', /429.*try again/)
  })

  test("when the test call to a model fails, the models are returned with the provider's error, without the key in it", async () => {
    reply = (path) =>
      path === '/v1/models'
        ? { body: LIST }
        : { status: 400, body: { error: { message: `Bearer ${KEY} may not use this model, ${KEY}!` } } }
    const { status, data } = await look({ baseUrl: `${origin}/v1`, key: KEY })
    assert.deepEqual([status, data.models.length, data.test.ok, data.test.latencyMs], [200, 2, false, null])
    assert.match(data.test.error ?? '', /may not use this model/)
    assert.ok(!JSON.stringify(data).includes(KEY))
  })

  test('a private model address is refused with a message that names the setting to allow it, and nothing is sent', async () => {
    const other = 'http://127.0.0.1:1234/v1'
    assert.match(
      await refusal({ baseUrl: other, key: KEY }),
      /^baseUrl: 127\.0\.0\.1 is a loopback address: add 127\.0\.0\.1 to SLIPWAY_OUTBOUND_ALLOW/,
    )
    assert.match(
      await refusal({ baseUrl: 'http://models.localhost:1234/v1', key: KEY }),
      /^baseUrl: models\.localhost is not public.*SLIPWAY_OUTBOUND_ALLOW/,
    )
    assert.match(await refusal({ baseUrl: 'http://169.254.169.254/v1' }), /^baseUrl: .*metadata/)
    assert.deepEqual(seen, [])
  })

  describe("model servers on the service's machine", () => {
    // Created before each test: a timeout that is created with the file would already run during tests of
    // other files.
    let signal: AbortSignal
    beforeEach(() => {
      signal = AbortSignal.timeout(60_000)
    })

    test('a local model server that returns a list of models is found; another kind of server is reported as absent', async () => {
      reply = (path) => (path === '/v1/models' ? { body: LIST } : { body: '<html>' })
      const { servers } = await findLocalModels({ config: app.config, signal }, [
        { name: 'Ollama', baseUrl: `${origin}/v1` },
        { name: 'Something else', baseUrl: `${origin}/pages` },
      ])
      assert.deepEqual(
        servers.map(({ name, state, models }) => [name, state, models[0]?.id]),
        [
          ['Ollama', 'found', 'qwen3-coder:30b'],
          ['Something else', 'absent', undefined],
        ],
      )
    })

    test('a local model server that never responds is reported as absent after one request', async () => {
      reply = () => null
      const { servers } = await findLocalModels({ config: app.config, signal }, [
        { name: 'Silent', baseUrl: `${origin}/v1` },
      ])
      assert.deepEqual([servers[0]?.state, seen.length], ['absent', 1])
    })

    test('a local model server that no setting allows is not called, and the result names the setting that allows it', async () => {
      const closed = { ...app.config, outboundAllow: [] }
      const { setting, servers } = await findLocalModels({ config: closed, signal }, [
        { name: 'Ollama', baseUrl: `${origin}/v1` },
      ])
      assert.deepEqual(
        [setting, servers],
        [
          'SLIPWAY_OUTBOUND_ALLOW',
          [{ name: 'Ollama', baseUrl: `${origin}/v1`, state: 'not_allowed', allow: origin, models: [] }],
        ],
      )
      assert.deepEqual(seen, [])
    })

    test('a loopback address is recognized as a known model server by its port', () => {
      assert.equal(localServerAt('http://localhost:11434'), 'Ollama')
      assert.equal(localServerAt('http://[::1]:1234/v1'), 'LM Studio')
      assert.equal(localServerAt('http://10.0.0.7:11434/v1'), null)
      assert.equal(localServerAt('http://127.0.0.1:9999/v1'), null)
    })

    test('the default addresses of Ollama, LM Studio and llama.cpp are listed', async () => {
      const { data } = await person.call<LocalModels>('GET /connections/models/local')
      assert.deepEqual(
        data.servers.map(({ name, allow, state }) => [name, allow, state]),
        [
          ['Ollama', 'http://127.0.0.1:11434', 'not_allowed'],
          ['LM Studio', 'http://127.0.0.1:1234', 'not_allowed'],
          ['llama.cpp', 'http://127.0.0.1:8080', 'not_allowed'],
        ],
      )
    })
  })
})
