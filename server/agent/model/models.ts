import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel, ModelMessage, streamText } from 'ai'
import { modelFacts } from './models.data.ts'

// The SDK prints its warnings to the console; failures reach the log through `ModelFailure`.
globalThis.AI_SDK_LOG_WARNINGS = false

export const PROVIDERS = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
  'workers-ai',
  'scaffold',
] as const
export type ModelProvider = (typeof PROVIDERS)[number]

/** A connection to a model. The key is in clear only here. */
export interface ModelConnection {
  provider: ModelProvider
  /** Null means the provider's own address. */
  baseUrl: string | null
  key: string | null
}

type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>

/** How calls to a model differ by provider beyond the wire itself. */
export interface ModelSettings {
  maxOutputTokens: number | undefined
  providerOptions: ProviderOptions | undefined
  /** Put on the messages up to which the provider shall cache; undefined where it caches by itself. */
  cacheMark: ProviderOptions | undefined
  windowTokens: number
}

/** Opens a model over its provider's own protocol; every request goes through the given fetch. */
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

/** Settings of every call of a run; `cacheKey` must stay the same for one project. */
export function modelSettings(provider: ModelProvider, modelId: string, cacheKey: string): ModelSettings {
  const facts = modelFacts(modelId)
  return {
    windowTokens: facts.windowTokens,
    // Anthropic needs a number and would otherwise stop at its own small default.
    maxOutputTokens: provider === 'anthropic' ? (facts.outputTokensMax ?? 32_000) : undefined,
    providerOptions: providerOptions(provider, cacheKey),
    cacheMark: provider === 'anthropic' ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : undefined,
  }
}

function providerOptions(provider: ModelProvider, cacheKey: string): ProviderOptions | undefined {
  if (provider !== 'openai') return undefined
  // Nothing is stored at the provider, so its reasoning is part of the transcript, encrypted.
  return { openai: { store: false, include: ['reasoning.encrypted_content'], promptCacheKey: cacheKey } }
}

/** Marks a message as the end of a cached prefix. */
export function withCacheMark<M extends ModelMessage>(message: M, mark: ProviderOptions | undefined): M {
  return mark === undefined
    ? message
    : { ...message, providerOptions: { ...message.providerOptions, ...mark } }
}
