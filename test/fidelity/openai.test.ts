import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import OpenAI, { AuthenticationError, InternalServerError, NotFoundError, RateLimitError } from 'openai'
import { modelRoutes } from '../../local/model/routes.ts'

/** Returns an openai client that calls the handler of the local model server directly, without a network port. */
function connectClient(key: string): {
  client: OpenAI
  control: (path: string, init: RequestInit) => Promise<Response>
} {
  const app = modelRoutes({ controlToken: 'control' })
  const client = new OpenAI({
    apiKey: key,
    baseURL: 'http://local/v1',
    maxRetries: 0,
    fetch: async (input, init) => app.fetch(new Request(input, init)),
  })
  const headers = { authorization: 'Bearer control', 'content-type': 'application/json' }
  const control = async (path: string, init: RequestInit) =>
    app.fetch(new Request(`http://local/_control${path}`, { ...init, headers }))
  return { client, control }
}

const writeCall = {
  type: 'function' as const,
  function: { name: 'write_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
}

describe('the openai client against the local model server', () => {
  test('the openai client lists the models, and throws its NotFoundError for an unknown model', async () => {
    const { client } = connectClient('key')
    const ids = (await client.models.list()).data.map((model) => model.id)
    assert.ok(ids.includes('scaffold-1'))
    await assert.rejects(
      client.chat.completions.create({ model: 'gpt-0', messages: [{ role: 'user', content: 'hi' }] }),
      NotFoundError,
    )
  })

  test('the openai client receives streamed text, tool calls and usage', async () => {
    const { client, control } = connectClient('stream')
    const step = { text: 'On it.', toolCalls: [{ name: 'write_file', args: { path: 'app.json' } }] }
    await control('/scripts/stream', { method: 'PUT', body: JSON.stringify({ steps: [step] }) })
    const stream = client.chat.completions.stream({
      model: 'scripted',
      messages: [{ role: 'user', content: 'build' }],
      tools: [writeCall],
      stream_options: { include_usage: true },
    })
    const final = await stream.finalChatCompletion()
    const [choice] = final.choices
    assert.equal(choice?.finish_reason, 'tool_calls')
    assert.equal(choice?.message.content, 'On it.')
    const [call] = choice?.message.tool_calls ?? []
    assert.equal(call?.type === 'function' ? call.function.arguments : '', '{"path":"app.json"}')
    assert.ok((final.usage?.total_tokens ?? 0) > 0)
  })

  test('the openai client receives tool calls of the built-in model for a build prompt', async () => {
    const { client } = connectClient('scaffold')
    const answer = await client.chat.completions.create({
      model: 'scaffold-1',
      messages: [
        { role: 'system', content: 'You are the build agent.' },
        { role: 'user', content: '<ticket-a1 type="task">\nA recipe app\n</ticket-a1>' },
      ],
      tools: [writeCall],
    })
    const paths = (answer.choices[0]?.message.tool_calls ?? []).map((call) =>
      call.type === 'function' ? (JSON.parse(call.function.arguments) as { path: string }).path : '',
    )
    assert.ok(paths.includes('app.json') && paths.includes('web/pages/Recipes.tsx'))
  })

  test('the openai client throws the error class of each error status, and its 429 error has the Retry-After header', async () => {
    const { client, control } = connectClient('faults')
    const steps = [
      { fault: { kind: 'http_429', retryAfter: 7 } },
      { fault: 'http_401' },
      { fault: 'http_500' },
    ]
    await control('/scripts/faults', { method: 'PUT', body: JSON.stringify({ steps }) })
    const askModel = () =>
      client.chat.completions.create({ model: 'scripted', messages: [{ role: 'user', content: 'x' }] })
    await assert.rejects(
      askModel(),
      (error) => error instanceof RateLimitError && error.headers.get('retry-after') === '7',
    )
    await assert.rejects(askModel(), AuthenticationError)
    await assert.rejects(askModel(), InternalServerError)
  })
})
