import type { TokenServer } from '../auth/sign-in/oauth-exchange.ts'
import { type ConnectService, CONNECT_SERVICES } from './presets.ts'
import type { JsonText } from '../kernel/json-text.ts'

export interface ConnectProvider extends TokenServer, ConnectService {
  kind: 'oauth' | 'apiKey'
  tokenUrl: string
  tokenForm?: TokenServer['tokenForm']
  /** The header for an API key. Without it the key is sent as a bearer token. */
  header?: string | undefined
}

export const settingsBinding = (id: string) => `CONNECTION_${id.toUpperCase()}` as const
export const secretBinding = (id: string) => `CONNECT_${id.toUpperCase()}_SECRET` as const

export const VAULT_BINDING = 'CONNECT_VAULT_KEY'

interface ConnectEnv {
  [settings: `CONNECTION_${string}`]: JsonText<Omit<ConnectProvider, 'clientSecret'>>
  [secret: `CONNECT_${string}_SECRET`]: string
}

/** Returns null for a service that is not configured or has no secret. */
export function connectProviderOf(env: unknown, id: string): ConnectProvider | null {
  const values = env as ConnectEnv
  const text = values[settingsBinding(id)]
  if (typeof text !== 'string') return null
  const preset = Object.hasOwn(CONNECT_SERVICES, id) ? CONNECT_SERVICES[id] : undefined
  const given = JSON.parse(text)
  const clientSecret = values[secretBinding(id)]
  const provider = { ...preset, ...given, scopes: preset?.scopes ?? [] }
  // With another `tokenUrl`, such as a company's own GitHub, the default `revokeUrl` must not get its tokens.
  if (given.tokenUrl) provider.revokeUrl = given.revokeUrl
  if (provider.kind === 'apiKey') return { ...provider, clientSecret: '' }
  return typeof clientSecret === 'string' && clientSecret !== '' ? { ...provider, clientSecret } : null
}
