import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { remoteBackend } from './backend.ts'
import { AiRefusal } from './refusal.ts'
import { runModel } from './run.ts'
import { sampleOf } from './sample.ts'

describe('a remote model server behind Workers AI', () => {
  let server: Server
  let url = ''
  const asked: { path: string; key: string | undefined; model: string | undefined }[] = []
  before(async () => {
    server = createServer((req, res) => {
      let text = ''
      req.on('data', (chunk: Buffer) => (text += chunk.toString()))
      req.on('end', () => {
        const { model } = (text === '' ? {} : JSON.parse(text)) as { model?: string }
        asked.push({ path: req.url ?? '', key: req.headers.authorization, model })
        if (text.includes('fall over')) res.writeHead(500).end('no memory left')
        else if (req.url === '/v1/models')
          res.end(JSON.stringify({ data: [{ id: 'small' }, { id: 'large' }] }))
        else if (req.url === '/v1/embeddings') res.end(JSON.stringify({ data: [{ embedding: [1, 2] }] }))
        else res.end(JSON.stringify({ choices: [{ message: { content: 'thought' } }], usage: {} }))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  })
  after(() => server.close())

  const model = '@cf/meta/llama-3.1-8b-instruct'

  test("an AI request for a model that the model server lacks uses the server's first model, with the configured API key", async () => {
    const backend = remoteBackend(url, 'sk-own')
    const answer = await runModel(backend, model, { prompt: 'hi' })
    assert.partialDeepStrictEqual(answer, { value: { response: 'thought' } })
    assert.deepEqual(asked.at(-1), { path: '/v1/chat/completions', key: 'Bearer sk-own', model: 'small' })
    const vectors = await runModel(backend, '@cf/baai/bge-m3', { text: 'hi' })
    assert.partialDeepStrictEqual(vectors, { value: { shape: [1, 2], data: [[1, 2]] } })
    assert.equal(asked.filter(({ path }) => path === '/v1/models').length, 1, 'its models are asked for once')
  })

  test("an AI caller gets the model server's errors, and the error for an unreachable server names the URL setting", async () => {
    await assert.rejects(
      runModel(remoteBackend(url, null), model, { prompt: 'fall over' }),
      /answered 500: no memory/,
    )
    const nobody = remoteBackend('http://127.0.0.1:1/v1', null)
    await assert.rejects(runModel(nobody, model, { prompt: 'hi' }), /SLIPWAY_LOCAL_AI_URL cannot be reached/)
    await assert.rejects(runModel(nobody, model, {}), /"prompt" or "messages"/)
  })

  test("a model server's response without token counts is accepted", async () => {
    const chat = async () => Response.json({ choices: [{ message: { content: 'thought' } }] })
    const backend = { chat, embed: async () => [] }
    assert.partialDeepStrictEqual(await runModel(backend, model, { prompt: 'hi' }), {
      value: { response: 'thought' },
    })
  })

  test("a model server's response that is no JSON or has an unexpected shape becomes an AiRefusal with the response text", async () => {
    const vectors = '@cf/baai/bge-m3'
    for (const [answer, name] of [
      [{ '/models': '<html>A proxy</html>' }, model],
      [{ '/models': '{"data":[]}' }, model],
      [{ '/chat/completions': '<html>A proxy</html>' }, model],
      [{ '/chat/completions': '{"choices":[]}' }, model],
      [{ '/chat/completions': '' }, model],
      [{ '/embeddings': '{"error":"no embeddings here"}' }, vectors],
    ] as const) {
      const odd = createServer((req, res) => {
        const known = { '/models': '{"data":[{"id":"small"}]}', ...answer } as Record<string, string>
        res.end(known[req.url ?? ''])
      })
      odd.listen(0, '127.0.0.1')
      await once(odd, 'listening')
      const backend = remoteBackend(`http://127.0.0.1:${(odd.address() as AddressInfo).port}`, null)
      const input = name === vectors ? { text: 'hi' } : { prompt: 'hi' }
      await assert.rejects(runModel(backend, name, input), (error) => {
        assert.ok(error instanceof AiRefusal)
        assert.deepEqual([error.code, error.status], [3043, 502])
        return error.message.endsWith(`unexpected response: ${Object.values(answer).join('')}`)
      })
      odd.close()
    }
  })

  test('the built-in model returns the smallest value that fits a JSON schema, even a recursive one', () => {
    const plant = {
      type: 'object',
      required: ['name', 'kind', 'size', 'tags'],
      properties: {
        name: { type: 'string', minLength: 10 },
        kind: { enum: ['fern', 'moss'] },
        size: { type: 'integer', minimum: 3 },
        tags: { type: 'array', minItems: 2, items: { anyOf: [{ type: 'boolean' }] } },
        note: { type: 'string' },
      },
    }
    const found = { name: 'sample....', kind: 'fern', size: 3, tags: [true, true] }
    assert.deepEqual(sampleOf({ name: 'plant', schema: plant }), found)
    const endless: Record<string, unknown> = { type: 'array' }
    endless['items'] = endless
    assert.ok(Array.isArray(sampleOf(endless)))
  })
})
