import type { TokenServer } from '@slipway/runtime/auth/sign-in/oauth-exchange.ts'
import * as z from 'zod'
import type { SecretTrial } from './capability.ts'

/** The id of a sign-in or API provider, unique within an app. */
export const ProviderId = z
  .string()
  .regex(/^[a-z][a-z0-9]{1,30}$/, 'must be 2 to 31 small letters and digits')

/** The maximum is so small that all fields of a provider fit into one variable of 5 kB. */
export const Address = z.url({ protocol: /^https$/ }).max(500)

/** Allows plain http for a provider on the same machine: a browser opens this address, and no secret is sent to it. */
export const PageAddress = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((text) => {
    const { protocol, hostname } = new URL(text)
    return protocol === 'https:' || ['127.0.0.1', 'localhost'].includes(hostname)
  }, 'must begin with https://, except on this machine')

type ServerPreset = Pick<TokenServer, 'tokenUrl' | 'tokenForm' | 'tokenIn' | 'hasPkce'>

/**
 * Returns the token server at which a provider's client secret is checked: the address that the operator entered, or
 * else the address in `presets`.
 */
export function trialOfClient(
  {
    id,
    clientId = '',
    tokenUrl,
  }: { id: string; clientId?: string | undefined; tokenUrl?: string | undefined },
  presets: Readonly<Record<string, ServerPreset>>,
): SecretTrial {
  const preset = Object.hasOwn(presets, id) ? presets[id] : undefined
  return {
    tokenServer: { ...preset, id, clientId, tokenUrl: tokenUrl ?? preset?.tokenUrl ?? '' },
    isKnown: preset !== undefined && tokenUrl === undefined,
  }
}
