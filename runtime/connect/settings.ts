import type { TokenServer } from '../auth/oauth-exchange.ts'
import { type ConnectService, SERVICES } from './presets.ts'

export interface ConnectProvider extends TokenServer, ConnectService {
  kind: 'oauth' | 'apiKey'
  tokenUrl: string
  tokenForm?: TokenServer['tokenForm']
  /** The header that carries a key; without one it is a bearer token. */
  header?: string | undefined
}

export const settingsBinding = (id: string): string => `CONNECTION_${id.toUpperCase()}`
export const secretBinding = (id: string): string => `CONNECT_${id.toUpperCase()}_SECRET`

export const VAULT_BINDING = 'CONNECT_VAULT_KEY'

/** Null for a service that is not set up, or has no secret. */
export function connectProviderOf(env: unknown, id: string): ConnectProvider | null {
  const values = env as Record<string, unknown>
  const text = values[settingsBinding(id)]
  if (typeof text !== 'string') return null
  const preset = Object.hasOwn(SERVICES, id) ? SERVICES[id] : undefined
  const given = JSON.parse(text) as Omit<ConnectProvider, 'clientSecret'>
  const clientSecret = values[secretBinding(id)]
  const provider = { ...preset, ...given, scopes: preset?.scopes ?? [] }
  // Tokens of another address, such as a company's own GitHub, must not be sent to the known service's `revokeUrl`.
  if (given.tokenUrl) provider.revokeUrl = given.revokeUrl
  if (provider.kind === 'apiKey') return { ...provider, clientSecret: '' }
  return typeof clientSecret === 'string' && clientSecret !== '' ? { ...provider, clientSecret } : null
}
