import type { ModelProvider } from '../../db/tables/connections.ts'

/**
 * Services that can be recognized by the prefix of a key or by the host of an address. For any other service the user has
 * to enter the address.
 */
export const MODEL_SERVICES = [
  'anthropic',
  'openai',
  'google',
  'openrouter',
  'groq',
  'xai',
  'deepseek',
] as const
export type ModelService = (typeof MODEL_SERVICES)[number]

interface ModelServiceProperties {
  name: string
  provider: ModelProvider
  baseUrl: string
  /** The prefixes of the service's keys, from its own documentation. Empty when they look like the keys of another service. */
  prefixes: readonly string[]
}

const SERVICE_FACTS: Record<ModelService, ModelServiceProperties> = {
  anthropic: {
    name: 'Anthropic',
    provider: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    prefixes: ['sk-ant-'],
  },
  openai: { name: 'OpenAI', provider: 'openai', baseUrl: 'https://api.openai.com/v1', prefixes: ['sk-'] },
  google: {
    name: 'Google',
    provider: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    prefixes: ['AIza'],
  },
  openrouter: {
    name: 'OpenRouter',
    provider: 'openai-compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    prefixes: ['sk-or-'],
  },
  groq: {
    name: 'Groq',
    provider: 'openai-compatible',
    baseUrl: 'https://api.groq.com/openai/v1',
    prefixes: ['gsk_'],
  },
  xai: {
    name: 'xAI',
    provider: 'openai-compatible',
    baseUrl: 'https://api.x.ai/v1',
    prefixes: ['xai-'],
  },
  deepseek: {
    name: 'DeepSeek',
    provider: 'openai-compatible',
    baseUrl: 'https://api.deepseek.com/v1',
    prefixes: [],
  },
}

export const serviceFacts = (service: ModelService): ModelServiceProperties => SERVICE_FACTS[service]

/** Returns the service with the longest matching prefix, because `sk-` is the prefix of several services. */
export function serviceOfKey(key: string): ModelService | null {
  const fitting = MODEL_SERVICES.flatMap((service) =>
    SERVICE_FACTS[service].prefixes
      .filter((prefix) => key.startsWith(prefix))
      .map((prefix) => ({ service, prefix })),
  )
  return fitting.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]?.service ?? null
}

/** Returns the service that has this host, or null. */
export function serviceAt(baseUrl: string): ModelService | null {
  const { host } = new URL(baseUrl)
  return MODEL_SERVICES.find((service) => new URL(SERVICE_FACTS[service].baseUrl).host === host) ?? null
}
