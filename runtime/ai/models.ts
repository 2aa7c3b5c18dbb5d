import { ApiError } from '../kernel/errors.ts'
import { countOf, fieldsOf } from '../kernel/fields.ts'
import { textVariable } from '../kernel/variable.ts'
import type { AiChat, AiReply, AiToolCall } from './types.ts'

/** This embedding model supports a hundred languages and is available in every Cloudflare account. */
const EMBEDDING_MODEL = '@cf/baai/bge-m3'
/** Used by an app that was deployed with plain wrangler, without the service's settings. */
const DEFAULT_MODEL = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
const DEFAULT_RUNS = 1000
const DEFAULT_TOKENS = 1024

interface ModelsBinding {
  run(model: string, inputs: object, options: object): Promise<unknown>
  gateway(id: string): { run(ask: object): Promise<Response> }
}

interface AiSettings {
  models: ModelsBinding | null
  model: string
  gateway: string
  providerKey: string
  monthlyRuns: number
  maxTokens: number
}

export function aiSettingsOf(env: unknown): AiSettings {
  const values = fieldsOf(env)
  const text = (name: string) => textVariable(env, name) ?? ''
  return {
    models: (values['AI'] as ModelsBinding | undefined) ?? null,
    model: text('AI_MODEL') || DEFAULT_MODEL,
    gateway: text('AI_GATEWAY'),
    providerKey: text('AI_PROVIDER_KEY'),
    monthlyRuns: Number(text('AI_MONTHLY_RUNS')) || DEFAULT_RUNS,
    maxTokens: Number(text('AI_MAX_TOKENS')) || DEFAULT_TOKENS,
  }
}

/**
 * Calls the chosen model. A model whose name begins with `@` runs on Workers AI; every other model runs at its provider, with the key from
 * the settings of the capability.
 */
export function askModel(
  settings: AiSettings,
  { messages, tools, schema }: AiChat,
  stream: boolean,
): Promise<unknown> {
  const { model, maxTokens, gateway } = settings
  const inputs = { messages, ...(tools !== undefined && { tools }), ...(stream && { stream }) }
  if (model.startsWith('@'))
    return runOnWorkersAi(settings, model, {
      ...inputs,
      max_tokens: maxTokens,
      ...(schema !== undefined && { response_format: { type: 'json_schema', json_schema: schema } }),
    })
  if (settings.providerKey === '' || gateway === '')
    throw new ApiError('conflict', `The model ${model} needs a provider key in the settings of ai.`)
  return runAtProvider(settings, {
    model,
    ...inputs,
    // OpenAI's newer models reject `max_tokens`, the parameter that all other models take.
    [model.startsWith('openai/') ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    ...(schema !== undefined && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    }),
  })
}

export async function embedTexts(settings: AiSettings, texts: string[]): Promise<number[][]> {
  const { data } = fieldsOf(await runOnWorkersAi(settings, EMBEDDING_MODEL, { text: texts }))
  if (Array.isArray(data) && data.length === texts.length && data.every(isVector)) return data
  throw new Error('The response is not one vector per text.')
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number')

function runOnWorkersAi(settings: AiSettings, model: string, inputs: object): Promise<unknown> {
  const { gateway } = settings
  return modelsOf(settings).run(model, inputs, gateway === '' ? {} : { gateway: { id: gateway } })
}

async function runAtProvider(
  settings: AiSettings,
  query: { model: string; stream?: boolean },
): Promise<unknown> {
  const response = await modelsOf(settings)
    .gateway(settings.gateway)
    .run({
      provider: 'compat',
      endpoint: 'chat/completions',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${settings.providerKey}` },
      query,
    })
  if (response.ok) return query.stream === true ? response.body : await response.json()
  await response.body?.cancel()
  throw new Error(`${response.status}:`)
}

function modelsOf({ models }: AiSettings): ModelsBinding {
  if (models !== null) return models
  throw new ApiError('not_enabled', 'The app is not bound to models yet. Ship it again.')
}

/** Reads a reply in the format of Workers AI or of OpenAI. A part with an unexpected shape counts as missing. */
export function parseModelReply(answer: unknown): AiReply {
  const { response, tool_calls, choices, usage } = fieldsOf(answer)
  const message = fieldsOf(fieldsOf(fieldsOf(choices)[0])['message'])
  const text = message['content'] ?? response ?? ''
  const calls = message['tool_calls'] ?? tool_calls
  const { prompt_tokens, completion_tokens } = fieldsOf(usage)
  return {
    // When the request has a schema, Workers AI returns the parsed value instead of text.
    text: typeof text === 'string' ? text : JSON.stringify(text),
    toolCalls: Array.isArray(calls) ? calls.flatMap(toToolCall) : [],
    usage: { inputTokens: countOf(prompt_tokens), outputTokens: countOf(completion_tokens) },
  }
}

function toToolCall(call: unknown): AiToolCall[] {
  const { id, function: called = call } = fieldsOf(call)
  const { name, arguments: given } = fieldsOf(called)
  if (typeof name !== 'string') return []
  // Some models return the arguments as an object instead of JSON text.
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? {})
  return [
    {
      id: typeof id === 'string' ? id : crypto.randomUUID(),
      type: 'function',
      function: { name, arguments: text },
    },
  ]
}

/** Returns the error for the caller. Leaves out the provider's message: it may contain the prompt or a part of the key. */
export function modelError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const code = /\b(\d{3,5}):/.exec(String((error as Error | null)?.message))?.[1]
  return new ApiError(
    'model_error',
    MESSAGE_OF_CODE[code ?? ''] ?? `The model failed${code === undefined ? '' : ` (${code})`}. Try again.`,
  )
}

const KEY_REFUSED = 'The model provider refused the key.'
const UNKNOWN_MODEL = 'The provider does not know the model. Choose another one in the settings of ai.'
const PROVIDER_BUSY = 'The model provider accepts no more requests now. Try again later.'
const MESSAGE_OF_CODE: Record<string, string> = {
  '401': KEY_REFUSED,
  '403': KEY_REFUSED,
  '404': UNKNOWN_MODEL,
  '5007': UNKNOWN_MODEL,
  '429': PROVIDER_BUSY,
  '2003': PROVIDER_BUSY,
  '3036': 'The free allowance of Workers AI for today is used up.',
  '3040': PROVIDER_BUSY,
}
