import type { ModelProvider } from '../agent/model/models.ts'

/**
 * Services that are recognized by the prefix of a key or by their address. Any other is connected by its
 * address.
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

interface ServiceFacts {
  name: string
  provider: ModelProvider
  baseUrl: string
  /** The prefixes of its keys, from its own documentation; none where they look like another service's. */
  prefixes: readonly string[]
}

const FACTS: Record<ModelService, ServiceFacts> = {
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

export const serviceFacts = (service: ModelService): ServiceFacts => FACTS[service]

/** Returns the service of a key by its longest matching prefix, because `sk-` is the prefix of several. */
export function serviceOfKey(key: string): ModelService | null {
  const fitting = MODEL_SERVICES.flatMap((service) =>
    FACTS[service].prefixes.filter((prefix) => key.startsWith(prefix)).map((prefix) => ({ service, prefix })),
  )
  return fitting.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]?.service ?? null
}

/** Returns null for a host that is no service's own. */
export function serviceAt(baseUrl: string): ModelService | null {
  const { host } = new URL(baseUrl)
  return MODEL_SERVICES.find((service) => new URL(FACTS[service].baseUrl).host === host) ?? null
}
