import { APICallError } from 'ai'
import type { ModelFailure } from '../../agent/model/failure.ts'
import { type ModelConnection, openModel } from '../../agent/model/models.ts'
import type { ModelProvider } from '../../db/tables/connections.ts'
import type { RequestContext } from '../../endpoint.ts'
import { type ApiError, invalid } from '../../http/errors.ts'
import { addressRefusal } from '../../lib/address-policy.ts'
import { OutboundError } from '../../lib/outbound.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { localServerAt } from './local.ts'
import { allowedFor, modelFetch } from './access.ts'
import { rankModels } from './choice.ts'
import { LIST_MS_MAX, ModelListError, readModelList } from './list.ts'
import type { ModelFinding, ModelQuestion } from './record.ts'
import { type ModelService, serviceAt, serviceFacts, serviceOfKey } from './services.ts'
import { tryModel } from './try-model.ts'

/** `signal` aborts the look-up when the client disconnects. */
type DiscoveryContext = Pick<RequestContext<'config'>, 'config' | 'signal'>

interface DiscoveryTarget {
  service: ModelService | null
  name: string
  provider: ModelProvider
  /** The base addresses to try in order. A single null means that the provider's protocol has a fixed address. */
  baseUrls: readonly (string | null)[]
  key: string | null
  /** The field of the form that the person filled in. Errors name this field. */
  field: 'key' | 'baseUrl'
}

/**
 * Finds out which model service a key or an address belongs to, lists its models and makes one small call to the recommended model.
 * Stores nothing. The key is removed from errors.
 */
export async function discoverModels(
  ctx: DiscoveryContext,
  question: ModelQuestion,
  { listMs = LIST_MS_MAX }: { listMs?: number } = {},
): Promise<ModelFinding> {
  const target = requireTarget(question)
  refusePrivateAddresses(ctx, target)
  const { connection, ids } = await listModelsAt(ctx, target, listMs)
  const models = rankModels(ids)
  const model = question.model ?? models[0]?.id
  if (model === undefined)
    throw invalid(target.field, `${target.name} has no models; load one there, then look again`)
  return {
    service: target.service,
    name: target.name,
    provider: target.provider,
    baseUrl: connection.baseUrl,
    models,
    test: { model, ...(await testConnection(ctx, { target, connection, model })) },
  }
}

function requireTarget({ baseUrl, service, ...entered }: ModelQuestion): DiscoveryTarget {
  const key = entered.key ?? null
  // The key is sent in a header, which cannot contain other characters. For other characters `fetch` would throw an
  // error that quotes the key.
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    throw invalid('key', 'has spaces or characters that no key has; copy it again')
  if (baseUrl !== undefined) {
    const known = service === undefined ? serviceAt(baseUrl) : null
    if (known !== null) return targetOfService(known, key, 'baseUrl')
    return {
      service: service ?? null,
      name: service === undefined ? providerName(baseUrl) : serviceFacts(service).name,
      provider: service === undefined ? 'openai-compatible' : serviceFacts(service).provider,
      baseUrls: addressesAt(baseUrl),
      key,
      field: 'baseUrl',
    }
  }
  const meant = service ?? (key === null ? null : serviceOfKey(key))
  if (meant !== null) return targetOfService(meant, key, 'key')
  if (key === null) throw invalid('key', 'is required, or the address of a server as baseUrl')
  throw invalid('service', 'the prefix of this key is unknown: say which provider it is for')
}

function targetOfService(
  service: ModelService,
  key: string | null,
  field: DiscoveryTarget['field'],
): DiscoveryTarget {
  const { name, provider, baseUrl } = serviceFacts(service)
  if (key === null) throw invalid('key', `is required: ${name} does not respond without a key`)
  return {
    service,
    name,
    provider,
    baseUrls: [provider === 'openai-compatible' ? baseUrl : null],
    key,
    field,
  }
}

/** Returns a name for a connection to this address, cut to the permitted length. */
const providerName = (baseUrl: string): string => localServerAt(baseUrl) ?? new URL(baseUrl).host.slice(0, 80)

/** Returns the base addresses to try for an address that a person pasted, which may be a bare host or the URL of a request. */
function addressesAt(baseUrl: string): string[] {
  const address = baseUrl.replace(/\/(chat\/completions|models)$/, '')
  return new URL(address).pathname === '/' ? [`${address}/v1`, address] : [address]
}

function refusePrivateAddresses(ctx: DiscoveryContext, { baseUrls }: DiscoveryTarget): void {
  for (const baseUrl of baseUrls) {
    const refusal = baseUrl === null ? null : addressRefusal(baseUrl, allowedFor(ctx.config))
    if (refusal !== null) throw invalid('baseUrl', refusal)
  }
}

/**
 * Tries the addresses in order until one returns a list of models. Throws a validation error that names the
 * form field to correct.
 */
async function listModelsAt(
  { config, signal }: DiscoveryContext,
  target: DiscoveryTarget,
  timeoutMs: number,
): Promise<{ connection: ModelConnection; ids: string[] }> {
  let last: unknown
  for (const baseUrl of target.baseUrls) {
    const connection = { provider: target.provider, baseUrl, key: target.key }
    try {
      return { connection, ids: await readModelList(connection, modelFetch(config), { signal, timeoutMs }) }
    } catch (error) {
      signal.throwIfAborted()
      last = error
      if (!(error instanceof ModelListError && error.reason === 'no_list')) break
    }
  }
  throw lookUpError(target, last)
}

/** Converts a failed look-up to a validation error that names the form field to correct: the key or the address. */
function lookUpError(target: DiscoveryTarget, error: unknown): ApiError | ProviderError {
  const { name, field } = target
  if (error instanceof OutboundError) return invalid('baseUrl', error.message)
  if (!(error instanceof ModelListError)) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const problem = isLate ? 'did not respond in time' : 'could not be reached'
    return invalid(field, `${name} ${problem}; check the ${field === 'key' ? 'network' : 'address'}`)
  }
  switch (error.reason) {
    case 'key_refused':
      return keyRefused(target, error.status)
    case 'busy':
      return new ProviderError('model', `${name} returned status ${error.status}; try again in a moment.`, {
        status: error.status,
        retryable: true,
        retryAfterSeconds: error.retryAfterSeconds,
      })
    case 'no_list':
      return invalid(
        field,
        `${name} returned status ${error.status} and no list of models; check the address, or set it up by hand`,
      )
  }
}

function keyRefused({ name, key, service }: DiscoveryTarget, status: number): ApiError {
  if (key === null) return invalid('key', `${name} asks for a key (${status})`)
  // Keys of some other providers begin with `sk-` like older keys of OpenAI.
  const other =
    service === 'openai' && !key.startsWith('sk-proj-')
      ? '; when it is not for OpenAI, say which provider'
      : ''
  return invalid('key', `${name} refused it (${status}); check that it is complete and still valid${other}`)
}

async function testConnection(
  ctx: DiscoveryContext,
  { target, connection, model }: { target: DiscoveryTarget; connection: ModelConnection; model: string },
): Promise<Omit<ModelFinding['test'], 'model'>> {
  try {
    const latencyMs = await tryModel(openModel(connection, model, modelFetch(ctx.config)), ctx.signal)
    return { ok: true, latencyMs, error: null }
  } catch (error) {
    ctx.signal.throwIfAborted()
    const failure = error as ModelFailure
    // Some providers list models without a key, so only this call shows that a key is wrong.
    if (APICallError.isInstance(failure.cause) && failure.cause.statusCode === 401)
      throw keyRefused(target, 401)
    return { ok: false, latencyMs: null, error: withoutKey(failure.message, target.key) }
  }
}

/**
 * Removes the key from a message, because providers quote the key. Some providers shorten it, so every word that
 * begins with the first 12 characters of the key is removed.
 */
const withoutKey = (message: string, key: string | null): string =>
  key === null
    ? message
    : message.replaceAll(new RegExp(`${RegExp.escape(key.slice(0, 12))}\\S*`, 'g'), '[key]')
