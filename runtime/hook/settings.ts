import type { HookScheme } from './types.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { readVariable, textVariable } from '../kernel/variable.ts'

export interface EndpointSettings {
  scheme?: HookScheme | undefined
  /** The request header that contains the signature or token. */
  header?: string | undefined
  encoding?: 'hex' | 'base64' | undefined
  /** The text before the signature in that header. */
  prefix?: string | undefined
  /** A template of the signed text: `{body}` and `{<header>}` are replaced. */
  signed?: string | undefined
  collection?: string | undefined
}

export interface HookSettings {
  endpoints: Readonly<Record<string, EndpointSettings>>
  /** Returns an endpoint's secret. An endpoint without a secret accepts no messages. */
  secretOf(endpoint: string): string | null
  /** The key that signs messages of the app; null disables sending. */
  sendKey: string | null
  keepDays: number
}

export const secretBinding = (endpoint: string): string =>
  `HOOK_${endpoint.replaceAll('-', '_').toUpperCase()}_SECRET`

interface HookEnv {
  HOOK_ENDPOINTS?: JsonText<HookSettings['endpoints']>
}

/**
 * Reads the operator's settings from the variables and secrets of the live worker. An app that was deployed
 * with plain wrangler instead of by Slipway has none and gets the defaults.
 */
export function hookSettingsOf(env: unknown): HookSettings {
  const textOf = (name: string) => textVariable(env, name)
  return {
    endpoints: readVariable((env as HookEnv).HOOK_ENDPOINTS, {}),
    secretOf: (endpoint) => textOf(secretBinding(endpoint)),
    sendKey: textOf('HOOK_SEND_KEY'),
    keepDays: Number(textOf('HOOK_KEEP_DAYS') ?? 30),
  }
}
