import { ApiError } from '../kernel/errors.ts'
import { fieldsOf, isFields } from '../kernel/fields.ts'
import type { CallMode, IceServer } from './types.ts'

const API_URL = 'https://rtc.live.cloudflare.com/v1'
const TIMEOUT_MS = 5000
const TTL_SECONDS = 3600
/** Tells a browser its public address. Used alone when there are no relays. */
export const STUN_SERVER: IceServer = { urls: ['stun:stun.cloudflare.com:3478'] }

export interface CallSettings {
  mode: CallMode | 'auto'
  meshMax: number
  maxPeers: number
  audioOnly: boolean
  /** Null when the app has no media server. */
  sfu: { path: string; secret: string } | null
  /** Null when the app has no relays. */
  turn: { path: string; secret: string } | null
}

/** Reads the settings from the live worker's variables. Defaults apply in a worker that was deployed with plain wrangler. */
export function callSettingsOf(env: unknown): CallSettings {
  const values = env as Record<string, string | undefined>
  const reach = (path: string, id: string, secret: string) => {
    const [found, key] = [values[id], values[secret]]
    return found && key ? { path: `${path}/${found}`, secret: key } : null
  }
  return {
    mode: (values['CALL_MODE'] ?? 'auto') as CallSettings['mode'],
    meshMax: Number(values['CALL_MESH_MAX'] ?? 4),
    maxPeers: Number(values['CALL_MAX_PEERS'] ?? 8),
    audioOnly: values['CALL_AUDIO_ONLY'] === 'on',
    sfu: reach('apps', 'SFU_APP_ID', 'SFU_SECRET'),
    turn: reach('turn/keys', 'TURN_KEY_ID', 'TURN_KEY'),
  }
}

/** Calls Cloudflare's media API. Throws `unavailable`, with the details as its cause, unless the response reports success. */
export async function callProvider<T>(
  { path, secret }: { path: string; secret: string },
  method: string,
  below: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${API_URL}/${path}/${below}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
  const said: unknown = await answer?.json().catch(() => null)
  const { errorCode } = fieldsOf(said)
  // The provider sends some errors with status 200.
  if (answer?.ok && isFields(said) && errorCode === undefined) return said as T
  throw mediaError(below, `${answer?.status ?? 'no answer'} ${String(errorCode ?? '')}`)
}

/** Returns the error for a page. Its cause is logged for the operator and contains neither the session nor the request. */
export function mediaError(below: string, why: string): ApiError {
  const cause = new Error(`${below.split('/').at(-1)}: ${why}`)
  return new ApiError('unavailable', 'The call is not available right now. Try again.', { cause })
}

/** Returns a STUN server, and relays with credentials for an hour when the app has relays. */
export async function iceServersOf({ turn }: CallSettings): Promise<IceServer[]> {
  if (turn === null) return [STUN_SERVER]
  const below = 'credentials/generate-ice-servers'
  const { iceServers } = await callProvider<{ iceServers: IceServer[] }>(turn, 'POST', below, {
    ttl: TTL_SECONDS,
  })
  // Browsers block port 53, so connecting to a relay there only times out.
  return iceServers.map((one) => ({ ...one, urls: one.urls.filter((url) => !/:53\b/.test(url)) }))
}
