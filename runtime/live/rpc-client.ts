import { openWith } from '../data/rpc-client.ts'
import { isEnabled, requireEnabled, requireLive } from '../kernel/env.ts'
import { callPrepared } from '../kernel/call-prepared.ts'
import { ApiError, type ErrorCode, STATUS_OF } from '../kernel/errors.ts'
import { manifestHash } from '../manifest.gen.ts'
import { CALL_HEADER, type LiveCalls, type RoomsBinding } from './types.ts'

/**
 * Calls the rooms as server code. At first contact they are sent the manifest of this release. Throws the `ApiError` that they
 * returned.
 */
export async function callRooms<Kind extends keyof LiveCalls>(
  kind: Kind,
  ask: LiveCalls[Kind]['ask'],
): Promise<LiveCalls[Kind]['answer']> {
  const live = requireLive('live')
  const rooms: unknown = live
  return callPrepared(
    live,
    () => (rooms as RoomsBinding).rooms(manifestHash, kind, ask),
    'The rooms are not ready yet.',
  )
}

/** Opens a socket to a room. Without an upgrade it only resolves when the sender may enter; throws otherwise. */
export async function enterRoom(request: Request): Promise<Response> {
  if (new URL(request.url).searchParams.has('data')) requireEnabled('data')
  const headers = new Headers(request.headers)
  // Set in every case, so that a browser cannot set it.
  headers.set(CALL_HEADER, isEnabled('call') ? 'on' : 'off')
  const response = await openWith(requireLive('live'), new Request(request, { headers }))
  if (response.status < 400) return response
  const codes = Object.entries(STATUS_OF) as [ErrorCode, number][]
  const [code = 'server_error'] = codes.find(([, status]) => status === response.status) ?? []
  throw new ApiError(code, (await response.text()) || 'The room cannot be entered.')
}
