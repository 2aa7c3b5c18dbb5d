import { createHash } from 'node:crypto'
import * as z from 'zod'
import { AiRefusal, readAnswer } from './refusal.ts'
import { sampleOf } from './sample.ts'

export interface ChatCompletionRequest {
  model: string
  messages: unknown[]
  stream: boolean
  response_format?: { type: string; json_schema?: unknown } | undefined
  [option: string]: unknown
}

/** The server that runs the models: the built-in models or an OpenAI-compatible server. */
export interface AiBackend {
  /** Returns the response of `POST /chat/completions`, streamed or whole. */
  chat(asked: ChatCompletionRequest, signal?: AbortSignal): Promise<Response>
  embed(model: string, texts: string[], dimensions: number): Promise<number[][]>
}

/** The built-in models. They echo their input or, when a request has a JSON schema, return the smallest value that fits it. */
export function localBackend(
  ask: (path: string, init: RequestInit) => Response | Promise<Response>,
): AiBackend {
  return {
    chat: async (asked) => {
      const schema = asked.response_format?.json_schema
      const messages =
        schema === undefined ? asked.messages : [{ role: 'user', content: JSON.stringify(sampleOf(schema)) }]
      const body = JSON.stringify({ ...asked, model: 'echo', messages })
      return await ask('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    },
    embed: async (_model, texts, dimensions) => texts.map((text) => vectorOfWords(text, dimensions)),
  }
}

const Models = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })).min(1) })
const Embeddings = z.looseObject({ data: z.array(z.looseObject({ embedding: z.array(z.number()) })) })

/** Another OpenAI-compatible server. A request for a model that the server lacks goes to the server's first model. */
export function remoteBackend(url: string, key: string | null): AiBackend {
  const base = url.replace(/\/$/, '')
  const headers = {
    'content-type': 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  }
  let models: Promise<string[]> | null = null
  const sendRequest = async (path: string, init: RequestInit) => {
    const answer = await fetch(base + path, { ...init, headers }).catch((error: unknown) => {
      throw new AiRefusal(3043, `SLIPWAY_LOCAL_AI_URL cannot be reached: ${String(error)}`, 502)
    })
    if (answer.ok) return answer
    const said = (await answer.text()).slice(0, 500)
    throw new AiRefusal(3043, `SLIPWAY_LOCAL_AI_URL answered ${answer.status}: ${said}`, 502)
  }
  const resolveModel = async (model: string) => {
    models ??= sendRequest('/models', {}).then(async (answer) => {
      return (await readAnswer(Models, answer)).data.map(({ id }) => id)
    })
    // A failure is not cached: the server may not have been running yet.
    const names = await models.catch((error: unknown) => {
      models = null
      throw error
    })
    return names.includes(model) ? model : (names[0] ?? model)
  }
  return {
    chat: async (asked, signal) =>
      await sendRequest('/chat/completions', {
        method: 'POST',
        body: JSON.stringify({ ...asked, model: await resolveModel(asked.model) }),
        ...(signal === undefined ? {} : { signal }),
      }),
    embed: async (model, texts) => {
      const body = JSON.stringify({ model: await resolveModel(model), input: texts })
      const answer = await sendRequest('/embeddings', { method: 'POST', body })
      return (await readAnswer(Embeddings, answer)).data.map(({ embedding }) => embedding)
    },
  }
}

/** Returns a deterministic vector. Vectors of texts that share words are close to each other. */
function vectorOfWords(text: string, dimensions: number): number[] {
  const vector = Array<number>(dimensions).fill(0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const hash = createHash('sha256').update(word).digest()
    const index = hash.readUInt32BE(0) % dimensions
    vector[index] = (vector[index] ?? 0) + ((hash[4] ?? 0) % 2 === 0 ? 1 : -1)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
