import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelConnection } from '../../agent/model/models.ts'
import { ModelListError, readModelList } from './list.ts'

const CONNECTION: ModelConnection = {
  provider: 'openai-compatible',
  baseUrl: 'https://models.test/v1',
  key: 'k',
}

/** Reads the list from a server with this response, and records the request. */
function listFrom(
  body: unknown,
  {
    status = 200,
    headers = {},
    connection = CONNECTION,
  }: {
    status?: number
    headers?: Record<string, string>
    connection?: ModelConnection
  } = {},
) {
  const asked: { url: string; headers: Headers }[] = []
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    asked.push({ url: String(input), headers: new Headers(init.headers) })
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
  }
  return { asked, names: readModelList(connection, fetch, { signal: new AbortController().signal }) }
}

const reasonOf = async (names: Promise<string[]>) => {
  const error: unknown = await names.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ModelListError, String(error))
  return error
}

describe('the list of models of a provider', () => {
  test("the names of a provider's models are read from each form of list that providers send", async () => {
    const forms: [provider: string, body: unknown, names: string[]][] = [
      ['OpenAI', { object: 'list', data: [{ id: 'gpt-5' }, { id: 'gpt-5-mini' }] }, ['gpt-5', 'gpt-5-mini']],
      [
        'Anthropic',
        { data: [{ id: 'claude-opus-4-5', display_name: 'Opus' }], has_more: false },
        ['claude-opus-4-5'],
      ],
      [
        'Google',
        {
          models: [
            { name: 'models/gemini-2.5-pro', supportedGenerationMethods: ['generateContent'] },
            { name: 'models/embedding-001', supportedGenerationMethods: ['embedContent'] },
          ],
        },
        ['gemini-2.5-pro'],
      ],
      [
        'Workers AI',
        { result: [{ id: 'uuid', name: '@cf/meta/llama-3' }], success: true },
        ['@cf/meta/llama-3'],
      ],
      ['Together AI', [{ id: 'Qwen/Qwen3-Coder', object: 'model', type: 'chat' }], ['Qwen/Qwen3-Coder']],
      ['Ollama without models', { object: 'list', data: null }, []],
      ['LM Studio without models', { object: 'list', data: [] }, []],
    ]
    for (const [provider, body, names] of forms) assert.deepEqual(await listFrom(body).names, names, provider)
  })

  test('models without a usable name are left out of the list, and at most 500 names are returned', async () => {
    const odd = [null, 7, 'text', {}, { id: 7 }, { id: '' }, { id: 'x'.repeat(201) }, { id: 'good' }]
    assert.deepEqual(await listFrom({ data: odd }).names, ['good'])
    const many = Array.from({ length: 900 }, (_, n) => ({ id: `m-${n}` }))
    assert.equal((await listFrom({ data: many }).names).length, 500)
  })

  test('a response that is not a list of models is an error and not an empty list', async () => {
    for (const body of [
      '',
      '<html>',
      'null',
      '7',
      '{}',
      '[]',
      '[1,2]',
      { data: 'x' },
      { models: {} },
      { error: 'x' },
      { data: null },
    ])
      assert.equal((await reasonOf(listFrom(body).names)).reason, 'no_list', JSON.stringify(body))
  })

  test('a refused key, a busy provider and a wrong address have different reasons when the list of models cannot be read', async () => {
    const cases: [number, string, string][] = [
      [401, '', 'key_refused'],
      [403, '', 'key_refused'],
      [400, '{"error":{"message":"API key not valid. Please pass a valid API key."}}', 'key_refused'],
      [400, '{"error":"bad request"}', 'no_list'],
      [404, 'Not found', 'no_list'],
      [429, '', 'busy'],
      [503, '', 'busy'],
    ]
    for (const [status, body, reason] of cases) {
      const error = await reasonOf(listFrom(body, { status, headers: { 'retry-after': '9' } }).names)
      assert.deepEqual([error.status, error.reason, error.retryAfterSeconds], [status, reason, 9])
    }
    assert.equal((await reasonOf(listFrom('', { status: 429 }).names)).retryAfterSeconds, null)
  })

  test('the request for the list of models has the key in the header of its provider and never in the address', async () => {
    const headerOf = { anthropic: 'x-api-key', google: 'x-goog-api-key', openai: 'authorization' } as const
    for (const [provider, header] of Object.entries(headerOf)) {
      const connection = { provider: provider as keyof typeof headerOf, baseUrl: null, key: 'the-key' }
      const { asked, names } = listFrom({ data: [] }, { connection })
      await names
      assert.match(asked[0]?.headers.get(header) ?? '', /the-key$/, provider)
      assert.ok(asked[0]?.url.startsWith('https://') && !asked[0].url.includes('the-key'), provider)
    }
    const keyless = listFrom({ data: [] }, { connection: { ...CONNECTION, key: null } })
    await keyless.names
    assert.deepEqual([...(keyless.asked[0]?.headers.keys() ?? [])], [])
  })
})
