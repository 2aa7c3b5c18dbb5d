import { retryAfterSeconds } from '@slipway/runtime/kernel/retry-after.ts'
import type { ModelConnection } from '../../agent/model/models.ts'
import { parseJson } from '../../lib/json.ts'
import { ACCOUNT_BASE_URL } from './account.ts'
import { serviceFacts } from './services.ts'

/** Short, because a person waits for the list. */
export const LIST_MS_MAX = 10_000
const MODELS_MAX = 500
const NAME_CHARS_MAX = 200

/** Thrown when the provider responded without a list of models. */
export class ModelListError extends Error {
  readonly status: number
  readonly reason: 'key_refused' | 'busy' | 'no_list'
  /** The wait that the provider asked for, in whole seconds; null when it did not ask for a wait. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, reason: ModelListError['reason'], waitSeconds: number | null = null) {
    super(`The list of models was answered with ${status}.`)
    this.name = 'ModelListError'
    this.status = status
    this.reason = reason
    this.retryAfterSeconds = waitSeconds
  }
}

/** Returns at most 500 names. Throws `ModelListError`, or the error that prevented a response. */
export async function readModelList(
  connection: ModelConnection,
  fetch: typeof globalThis.fetch,
  { signal, timeoutMs = LIST_MS_MAX }: { signal: AbortSignal; timeoutMs?: number },
): Promise<string[]> {
  const response = await fetch(listUrl(connection), {
    headers: keyHeaders(connection),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  const text = await response.text()
  if (!response.ok) {
    const waitSeconds = retryAfterSeconds(response.headers.get('retry-after'))
    throw new ModelListError(response.status, statusReason(response.status, text), waitSeconds)
  }
  const names = modelNamesIn(text)
  if (names === null) throw new ModelListError(response.status, 'no_list')
  return names.filter((name) => name !== '' && name.length <= NAME_CHARS_MAX).slice(0, MODELS_MAX)
}

function listUrl({ provider, baseUrl }: ModelConnection): string {
  switch (provider) {
    case 'anthropic':
      return `${baseUrl ?? serviceFacts(provider).baseUrl}/models?limit=1000`
    case 'google':
      return `${baseUrl ?? serviceFacts(provider).baseUrl}/models?pageSize=1000`
    case 'openai':
      return `${baseUrl ?? serviceFacts(provider).baseUrl}/models`
    case 'workers-ai':
      return `${ACCOUNT_BASE_URL}/ai/models/search?task=Text%20Generation`
    case 'openai-compatible':
    case 'scaffold':
      return `${baseUrl ?? ''}/models`
  }
}

function keyHeaders({ provider, key }: ModelConnection): Record<string, string> {
  if (key === null) return {}
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  // The key is in a header and not in the URL, because proxies and servers log URLs.
  if (provider === 'google') return { 'x-goog-api-key': key }
  return { authorization: `Bearer ${key}` }
}

function statusReason(status: number, text: string): ModelListError['reason'] {
  if (status === 401 || status === 403) return 'key_refused'
  // Google returns 400 for a wrong key.
  if (status === 400 && /api.?key/i.test(text)) return 'key_refused'
  return status === 429 || status >= 500 ? 'busy' : 'no_list'
}

/** Parses each form of a list that providers send. Returns null for any other text. */
function modelNamesIn(text: string): string[] | null {
  const items = listIn(parseJson(text))
  return items === null ? null : items.filter(isObject).filter(canGenerateText).map(modelName)
}

function listIn(body: unknown): unknown[] | null {
  // Together AI sends a bare array. An empty array need not be a list of models.
  if (Array.isArray(body)) return body.some(isObject) ? body : null
  if (!isObject(body)) return null
  const list: unknown = [body['data'], body['models'], body['result']].find(Array.isArray)
  if (Array.isArray(list)) return list
  // Ollama sends null instead of a list while it has no models.
  return body['object'] === 'list' && body['data'] === null ? [] : null
}

const modelName = ({ id, name }: Record<string, unknown>): string => {
  const said = typeof id === 'string' && !isNamedByName(name) ? id : name
  // Google lists resource paths, and calls use only their last part.
  return typeof said === 'string' ? said.replace(/^models\//, '') : ''
}

/** Workers AI lists an id and a name (`@cf/...`) for each model, and model requests accept only the name. */
const isNamedByName = (name: unknown): boolean => typeof name === 'string' && name.startsWith('@')

/** Google lists which methods each model supports. */
const canGenerateText = ({ supportedGenerationMethods: methods }: Record<string, unknown>): boolean =>
  !Array.isArray(methods) || methods.includes('generateContent')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
