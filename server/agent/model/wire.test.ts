import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAgent } from '../loop/loop.ts'
import { setUp } from '../testing/loop.ts'
import type { ModelProvider } from '../../db/tables/connections.ts'
import { modelSettings, openModel } from './models.ts'

/**
 * A conversation of three calls in each provider's wire format, as the providers document it. Response bodies are replayed byte
 * for byte, in pieces that cut through events, lines and letters. Requests must equal the requests that were recorded with the
 * conversation.
 */
const CONVERSATIONS: [provider: Exclude<ModelProvider, 'scaffold'>, model: string, path: string][] = [
  ['anthropic', 'claude-sonnet-4-5', '/messages'],
  ['openai', 'gpt-5', '/responses'],
  ['google', 'gemini-2.5-pro', '/models/gemini-2.5-pro:streamGenerateContent?alt=sse'],
  ['openai-compatible', 'deepseek-reasoner', '/chat/completions'],
  ['workers-ai', '@cf/openai/gpt-oss-120b', '/chat/completions'],
]
const TOOLS = new Set(['read_file', 'write_file', 'edit_file', 'finish'])
const CHUNK_SIZES = [1, 2, 3, 5, 7, 64, 1_021]

interface Request {
  path: string
  headers: Record<string, unknown>
  body: Record<string, unknown>
}

const fixture = (path: string) => readFileSync(new URL(`../testing/wire/${path}`, import.meta.url))

describe('a conversation as sent to the provider', () => {
  let server: Server
  let origin: string
  let requests: Request[] = []

  before(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', async () => {
        const [, provider = '', ...path] = (request.url ?? '').split('/')
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
        requests.push({ path: `/${path.join('/')}`, headers: request.headers, body })
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        await play(fixture(`${provider}/${requests.length}.sse`), (piece) => response.write(piece))
        response.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  async function converse(provider: Exclude<ModelProvider, 'scaffold'>, model: string) {
    requests = []
    const run = setUp([])
    const connection = { provider, baseUrl: `${origin}/${provider}`, key: 'key-123' }
    run.agent.model = openModel(connection, model, fetch)
    run.agent.settings = modelSettings(provider, model, 'prj_1')
    run.agent.tools = run.agent.tools.filter((tool) => TOOLS.has(tool.name))
    run.agent.opening = [
      { role: 'user', content: 'the project' },
      { role: 'user', content: 'the ticket' },
    ]
    const end = await runAgent(run.agent)
    return { end, run, bodies: requests.map(({ body }) => body) }
  }

  for (const [provider, model, path] of CONVERSATIONS) {
    describe(provider, () => {
      test('a streamed model response is read completely, however the network splits it', async () => {
        const { end, run } = await converse(provider, model)
        assert.deepEqual(end, { kind: 'finished', summary: 'Two plants are listed – no more. 🌱' })
        assert.equal(
          run.workspace.tree.get('shared/plants.ts'),
          "export const plants = ['Ficus 🌿', 'Calathea é']\n",
        )
        const said = run.frames.map((frame) => (frame.type === 'delta' ? (frame.text ?? '') : '')).join('')
        assert.equal(said, 'I will look at the manifest first — then write.Done.')
        assert.deepEqual(
          run.stored.map((step) => step.results.map(({ ok }) => ok)),
          [[true, true], [true], [true]],
        )
      })

      test('a replayed conversation sends exactly the recorded requests to the provider’s path', async () => {
        const { bodies } = await converse(provider, model)
        assert.deepEqual(
          requests.map((request) => request.path),
          [path, path, path],
        )
        assert.deepEqual(numbered(bodies), JSON.parse(fixture(`${provider}/requests.json`).toString()))
        for (const body of bodies) assert.doesNotMatch(JSON.stringify(body), /"(temperature|top_?[pkPK])"/)
      })

      test('each request of a conversation begins with the bytes of the previous request', async () => {
        const { bodies } = await converse(provider, model)
        const [first, second, third] = bodies.map((body) =>
          JSON.stringify(conversationOf(body)).replaceAll(MARK, '').slice(0, -1),
        )
        assert.ok(first !== undefined && second !== undefined && third?.startsWith(second))
        assert.ok(second.startsWith(first))
        const tools = bodies.map((body) => JSON.stringify(body['tools']))
        assert.equal(new Set(tools).size, 1)
      })

      test('the provider’s token counts are stored for each step, cached tokens separately', async () => {
        const { run } = await converse(provider, model)
        const sum = run.stored.map(({ usage }) => usage)
        assert.deepEqual(
          sum.map(({ input }) => input),
          [412, 534, 624],
        )
        assert.deepEqual(
          sum.map(({ output }) => output),
          [96, 41, 28],
        )
        const isTold = provider !== 'workers-ai'
        const read = provider === 'anthropic' ? [0, 380, 530] : [0, 384, 512]
        assert.deepEqual(
          sum.map(({ cacheRead }) => cacheRead),
          isTold ? read : [0, 0, 0],
        )
      })
    })
  }

  test('anthropic: signed and redacted thinking is sent back unchanged, with at most four cache marks', async () => {
    const { bodies } = await converse('anthropic', 'claude-sonnet-4-5')
    const last = JSON.stringify(bodies[2])
    assert.match(last, /"signature":"EqoBCkgIARABGAIiQ0wire\+signature\/=="/)
    assert.match(last, /"signature":"EqoBCkgIARABGAIiQ1wire\+signature\/=="/)
    assert.match(last, /\{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix\/wire"\}/)
    assert.deepEqual(
      bodies.map((body) => JSON.stringify(body).split('"cache_control"').length - 1),
      [3, 4, 4],
    )
  })

  test('openai: encrypted reasoning is sent back unchanged, nothing is stored at the provider, and all requests have the same cache key', async () => {
    const { bodies } = await converse('openai', 'gpt-5')
    const sent = JSON.stringify(bodies[2])
    assert.match(sent, /"encrypted_content":"gAAAAABo-wire-0-sealed=="/)
    assert.match(sent, /"encrypted_content":"gAAAAABo-wire-1-sealed=="/)
    assert.doesNotMatch(sent, /item_reference/)
    for (const body of bodies) assert.deepEqual([body['store'], body['prompt_cache_key']], [false, 'prj_1'])
  })

  test('google: thought signatures are sent back with their tool calls', async () => {
    const { bodies } = await converse('google', 'gemini-2.5-pro')
    const parts = conversationOf(bodies[2]).flatMap(({ parts }) => parts as Record<string, unknown>[])
    const signed = parts.filter((part) => 'functionCall' in part).map((part) => part['thoughtSignature'])
    assert.deepEqual(signed, ['CsgBAdHtim9wire0+sig/==', undefined, 'CsgBAdHtim9wire1+sig/=='])
  })
})

const MARK = ',"cache_control":{"type":"ephemeral"}'

/** Gemini gives calls no ids, so the SDK generates random ones. Numbers replace them here, so that two bodies can be compared. */
function numbered(bodies: object[]): unknown {
  const names = new Map<string, string>()
  const text = JSON.stringify(bodies).replaceAll(/"id":"([A-Za-z0-9]{16})"/g, (_, id: string) => {
    names.set(id, names.get(id) ?? `call ${names.size + 1}`)
    return `"id":"${names.get(id)}"`
  })
  return JSON.parse(text)
}

/** Providers name the list of messages differently. */
function conversationOf(body: Record<string, unknown> | undefined): Record<string, unknown>[] {
  return (body?.['messages'] ?? body?.['input'] ?? body?.['contents']) as Record<string, unknown>[]
}

/** Sends bytes in pieces of many sizes, each in a separate packet as far as the system allows. */
async function play(bytes: Buffer, send: (piece: Buffer) => void): Promise<void> {
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = CHUNK_SIZES[n % CHUNK_SIZES.length] ?? 1
    send(bytes.subarray(at, at + size))
    at += size
    if (n % 4 === 0) await sleep(0)
  }
}
