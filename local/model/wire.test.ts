import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import OpenAI, { BadRequestError, NotFoundError } from 'openai'
import { modelRoutes } from './routes.ts'
import { type ChatRequest, respondWithTurn, type Turn } from './wire.ts'

const REQUEST: ChatRequest = { model: 'echo', messages: [{ role: 'user', content: 'hello' }] }

interface Delta {
  content?: string
  reasoning_content?: string
  tool_calls?: { index: number; function: { name?: string; arguments: string } }[]
}

async function streamed(turn: Turn): Promise<Delta[]> {
  const text = await respondWithTurn({ ...REQUEST, stream: true }, turn).text()
  return [...text.matchAll(/^data: (\{.*\})$/gm)].flatMap(([, data = '']) => {
    const chunk = JSON.parse(data) as { choices: { delta: Delta }[] }
    return chunk.choices.map(({ delta }) => delta)
  })
}

describe('the format of model responses', () => {
  test('no event of a streamed model response ends in the middle of a character', async () => {
    const emojis = `x${'😀'.repeat(700)}`
    const deltas = await streamed({
      text: emojis,
      reasoning: emojis,
      toolCalls: [{ name: 'write_file', args: { text: emojis } }],
    })
    const pieces = deltas.flatMap(({ content = '', reasoning_content = '', tool_calls = [] }) => [
      content,
      reasoning_content,
      ...tool_calls.map((call) => call.function.arguments),
    ])
    assert.deepEqual(
      pieces.filter((piece) => !piece.isWellFormed()),
      [],
    )
    const joined = (of: (delta: Delta) => string | undefined) =>
      deltas.map((delta) => of(delta) ?? '').join('')
    assert.equal(
      joined(({ content }) => content),
      emojis,
    )
    assert.equal(
      joined(({ reasoning_content }) => reasoning_content),
      emojis,
    )
    assert.deepEqual(JSON.parse(joined(({ tool_calls }) => tool_calls?.[0]?.function.arguments)), {
      text: emojis,
    })
  })

  test("the arguments of several streamed tool calls keep each call's order and index", async () => {
    const deltas = await streamed({
      toolCalls: ['first', 'second'].map((name) => ({ name, args: { text: name.repeat(200) } })),
    })
    const calls = deltas.flatMap(({ tool_calls = [] }) => tool_calls)
    for (const [index, name] of ['first', 'second'].entries()) {
      const own = calls.filter((call) => call.index === index)
      assert.deepEqual(
        own.flatMap((call) => call.function.name ?? []),
        [name],
      )
      const args = own.map((call) => call.function.arguments).join('')
      assert.deepEqual(JSON.parse(args), { text: name.repeat(200) })
    }
  })

  const app = modelRoutes({ controlToken: null })
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: 'http://model.test/v1',
    maxRetries: 0,
    fetch: async (input, init) => app.request(new Request(input, init)),
  })

  test("OpenAI's own client reads a response, a stream with its usage, and the list of models", async () => {
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'grüezi 😀' }] }]
    const whole = await client.chat.completions.create({ model: 'echo', messages })
    assert.equal(whole.choices[0]?.message.content, 'grüezi 😀')
    assert.equal(whole.usage?.total_tokens, whole.usage!.prompt_tokens + whole.usage!.completion_tokens)
    const pieces: string[] = []
    let usage = 0
    const stream = await client.chat.completions.create({
      model: 'echo',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? '')
      usage += chunk.usage?.total_tokens ?? 0
    }
    assert.deepEqual([pieces.join(''), usage], ['grüezi 😀', whole.usage?.total_tokens])
    const { data } = await client.models.list()
    assert.deepEqual(
      data.map(({ id }) => id),
      ['scaffold-1', 'echo'],
    )
  })

  test("null counts as absent where OpenAI's parameters allow it", async () => {
    const { choices } = await client.chat.completions.create({
      model: 'echo',
      messages: [{ role: 'user', content: 'hello' }],
      stream: null,
      stream_options: null,
    } as OpenAI.ChatCompletionCreateParamsNonStreaming)
    assert.equal(choices[0]?.message.content, 'hello')
  })

  test("for a refused request, OpenAI's own client throws the error class of the status, with the code or field", async () => {
    const messages = [{ role: 'user' as const, content: 'hello' }]
    await assert.rejects(
      client.chat.completions.create({ model: 'gpt-9', messages }),
      (error) => error instanceof NotFoundError && error.code === 'model_not_found',
    )
    await assert.rejects(
      client.chat.completions.create({ model: 'echo', messages: [] }),
      (error) => error instanceof BadRequestError && /messages/.test(error.message),
    )
  })
})
