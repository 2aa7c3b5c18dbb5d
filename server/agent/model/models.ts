import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel, ModelMessage, streamText } from 'ai'
import type { ModelProvider } from '../../db/tables/connections.ts'
import { modelFacts } from './models.data.ts'

// Without this the SDK prints its warnings to the console. Failures are logged as `ModelFailure`.
globalThis.AI_SDK_LOG_WARNINGS = false

export const MODEL_PROVIDERS = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
  'workers-ai',
  'scaffold',
] as const satisfies readonly ModelProvider[]

/** A connection to a model, with the decrypted key. Never log it. */
export interface ModelConnection {
  provider: ModelProvider
  /** The address of the provider's API; null for the default address. */
  baseUrl: string | null
  key: string | null
}

type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>

/** The settings of a model call that differ by provider. */
export interface ModelSettings {
  maxOutputTokens: number | undefined
  providerOptions: ProviderOptions | undefined
  /** Added to the last message of each prefix to cache. Undefined when the provider caches without marks. */
  cacheMark: ProviderOptions | undefined
  windowTokens: number
}

/** Opens a model over the provider's protocol. Every request uses the given `fetch`. */
export function openModel(
  connection: ModelConnection,
  modelId: string,
  fetch: typeof globalThis.fetch,
): LanguageModel {
  const common = {
    fetch,
    apiKey: connection.key ?? '',
    ...(connection.baseUrl === null ? {} : { baseURL: connection.baseUrl }),
  }
  switch (connection.provider) {
    case 'anthropic':
      return createAnthropic(common)(modelId)
    case 'openai':
      return createOpenAI(common).responses(modelId)
    case 'google':
      return createGoogle(common)(modelId)
    case 'openai-compatible':
    case 'workers-ai':
    case 'scaffold':
      return createOpenAICompatible({
        ...common,
        name: connection.provider,
        baseURL: connection.baseUrl ?? '',
        includeUsage: true,
      })(modelId)
  }
}

/**
 * Returns the settings of every call of a run. `cacheKey` must be the same for all runs of a project. Otherwise the
 * provider's cache misses.
 */
export function modelSettings(provider: ModelProvider, modelId: string, cacheKey: string): ModelSettings {
  const facts = modelFacts(modelId)
  return {
    windowTokens: facts.windowTokens,
    // Anthropic's API requires an output limit. Without a limit here, Anthropic's client library would send a small default.
    maxOutputTokens: provider === 'anthropic' ? (facts.outputTokensMax ?? 32_000) : undefined,
    providerOptions: providerOptions(provider, cacheKey),
    cacheMark: provider === 'anthropic' ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : undefined,
  }
}

function providerOptions(provider: ModelProvider, cacheKey: string): ProviderOptions | undefined {
  if (provider !== 'openai') return undefined
  // Nothing is stored at the provider, so the transcript has to contain the model's encrypted reasoning.
  return { openai: { store: false, include: ['reasoning.encrypted_content'], promptCacheKey: cacheKey } }
}

/** Marks a message as the end of a cached prefix; returns the message unchanged when the provider needs no mark. */
export function withCacheMark<M extends ModelMessage>(message: M, mark: ProviderOptions | undefined): M {
  return mark === undefined
    ? message
    : { ...message, providerOptions: { ...message.providerOptions, ...mark } }
}
