import { ApiError } from '../kernel/errors.ts'
import type { CallMode, IceServer } from './types.ts'

const BASE = 'https://rtc.live.cloudflare.com/v1'
const TIMEOUT_MS = 5000
const TTL_SECONDS = 3600
/** For a browser that needs no relay but does not know its own address. A call may do without relays. */
export const STUN: IceServer = { urls: ['stun:stun.cloudflare.com:3478'] }

export interface CallSettings {
  mode: CallMode | 'auto'
  meshMax: number
  maxPeers: number
  audioOnly: boolean
  /** Null: there is no media server. */
  sfu: { path: string; secret: string } | null
  /** Null: there are no relays. */
  turn: { path: string; secret: string } | null
}

/** Reads the settings from the live worker's variables. A worker that was deployed by hand gets the defaults. */
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

/** Throws `unavailable`, with what happened as its cause, unless the provider reports success. */
export async function callProvider<T>(
  { path, secret }: { path: string; secret: string },
  method: string,
  below: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${BASE}/${path}/${below}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
  const said = (await answer?.json().catch(() => null)) as { errorCode?: string } | null | undefined
  // The provider reports some errors with a status of success.
  if (answer?.ok && said?.errorCode === undefined) return said as T
  throw mediaError(below, `${answer?.status ?? 'no answer'} ${said?.errorCode ?? ''}`)
}

/** The error that a page gets. Its cause, a line for the operator, names neither the session nor what was sent. */
export function mediaError(below: string, why: string): ApiError {
  const [last] = below.split('/').slice(-1)
  const cause = new Error(`${last}: ${why}`)
  return new ApiError('unavailable', 'The call cannot be carried right now. Try again.', { cause })
}

/** Returns STUN servers and relays with credentials for an hour; only STUN where there are no relays. */
export async function iceServersOf({ turn }: CallSettings): Promise<IceServer[]> {
  if (turn === null) return [STUN]
  const below = 'credentials/generate-ice-servers'
  const { iceServers } = await callProvider<{ iceServers: IceServer[] }>(turn, 'POST', below, {
    ttl: TTL_SECONDS,
  })
  // Browsers block port 53 and would wait for a relay there in vain.
  return iceServers.map((one) => ({ ...one, urls: one.urls.filter((url) => !/:53\b/.test(url)) }))
}
