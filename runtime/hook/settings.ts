import type { HookScheme } from './types.ts'

/** How one endpoint is verified, and where its messages go, as far as the operator says. */
export interface EndpointSettings {
  scheme?: HookScheme | undefined
  /** The header that carries the signature or token. */
  header?: string | undefined
  encoding?: 'hex' | 'base64' | undefined
  /** What stands before the signature in the header. */
  prefix?: string | undefined
  /** What is signed: `{body}` and `{<header>}` stand for theirs. */
  signed?: string | undefined
  collection?: string | undefined
}

export interface HookSettings {
  endpoints: Readonly<Record<string, EndpointSettings>>
  /** By endpoint; one without a secret accepts nothing. */
  secretOf(endpoint: string): string | null
  /** Signs what the app sends; null: it sends nothing. */
  sendKey: string | null
  keepDays: number
}

/** The name of the binding that holds the secret of an endpoint. */
export const secretBinding = (endpoint: string): string =>
  `HOOK_${endpoint.replaceAll('-', '_').toUpperCase()}_SECRET`

/** Reads the settings from the live worker's variables and secrets; the defaults in a worker that was deployed by hand. */
export function hookSettingsOf(env: unknown): HookSettings {
  const values = env as Record<string, unknown>
  const textOf = (name: string): string | null => {
    const value = values[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    endpoints: JSON.parse(textOf('HOOK_ENDPOINTS') ?? '{}') as HookSettings['endpoints'],
    secretOf: (endpoint) => textOf(secretBinding(endpoint)),
    sendKey: textOf('HOOK_SEND_KEY'),
    keepDays: Number(textOf('HOOK_KEEP_DAYS') ?? 30),
  }
}
