import type { HookScheme } from './types.ts'

export interface EndpointSettings {
  scheme?: HookScheme | undefined
  /** The header that carries the signature or token. */
  header?: string | undefined
  encoding?: 'hex' | 'base64' | undefined
  /** The text before the signature in the header. */
  prefix?: string | undefined
  /** The signed text: `{body}` and `{<header>}` are replaced. */
  signed?: string | undefined
  collection?: string | undefined
}

export interface HookSettings {
  endpoints: Readonly<Record<string, EndpointSettings>>
  /** By endpoint; one without a secret accepts nothing. */
  secretOf(endpoint: string): string | null
  /** Signs what the app sends; null: nothing is sent. */
  sendKey: string | null
  keepDays: number
}

export const secretBinding = (endpoint: string): string =>
  `HOOK_${endpoint.replaceAll('-', '_').toUpperCase()}_SECRET`

/** Reads the live worker's variables and secrets. A worker that was deployed by hand gets the defaults. */
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
