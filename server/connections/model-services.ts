import type { ModelProvider } from '../agent/model/models.ts'

/** The services whose keys or addresses are known; everything else is reached by its address. */
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
  /** The protocol it is spoken to in. */
  provider: ModelProvider
  baseUrl: string
  /** How its keys begin, as the service itself documents them; none where they look like another's. */
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

/** Whose key this is, by its beginning; the longest that fits, since `sk-` begins more than one. */
export function serviceOfKey(key: string): ModelService | null {
  const fitting = MODEL_SERVICES.flatMap((service) =>
    FACTS[service].prefixes.filter((prefix) => key.startsWith(prefix)).map((prefix) => ({ service, prefix })),
  )
  return fitting.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]?.service ?? null
}

/** The service that an address belongs to, by its host. */
export function serviceAt(baseUrl: string): ModelService | null {
  const { host } = new URL(baseUrl)
  return MODEL_SERVICES.find((service) => new URL(FACTS[service].baseUrl).host === host) ?? null
}
