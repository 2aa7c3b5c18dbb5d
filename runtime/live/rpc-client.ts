import { forwardWithManifest } from '../data/rpc-client.ts'
import { isEnabled, requireEnabled, requireLive } from '../kernel/worker/env.ts'
import { callPrepared } from '../kernel/objects/call-prepared.ts'
import { ApiError, type ErrorCode, STATUS_OF } from '../kernel/errors.ts'
import { manifestHash } from '../manifest.gen.ts'
import { CALL_HEADER, type LiveCalls } from './types.ts'

/**
 * Calls the rooms through the live worker, with the rights of server code. When the Durable Objects do not have this release's manifest
 * yet, sends the manifest and repeats the call. Throws a returned `ApiError`.
 */
export async function callRooms<Kind extends keyof LiveCalls>(
  kind: Kind,
  ask: LiveCalls[Kind]['ask'],
): Promise<LiveCalls[Kind]['answer']> {
  const live = requireLive('live')
  return callPrepared(live, () => live.rooms(manifestHash, kind, ask), 'The rooms are not ready yet.')
}

/**
 * Opens a WebSocket to a room. Without an `upgrade` header, only checks whether the sender may enter. Throws
 * an `ApiError` when the sender may not.
 */
export async function enterRoom(request: Request): Promise<Response> {
  if (new URL(request.url).searchParams.has('data')) requireEnabled('data')
  const headers = new Headers(request.headers)
  // Always replace this header, because the browser may have sent it, too.
  headers.set(CALL_HEADER, isEnabled('call') ? 'on' : 'off')
  const response = await forwardWithManifest(requireLive('live'), new Request(request, { headers }))
  if (response.status < 400) return response
  const codes = Object.entries(STATUS_OF) as [ErrorCode, number][]
  const [code = 'server_error'] = codes.find(([, status]) => status === response.status) ?? []
  throw new ApiError(code, (await response.text()) || 'The room cannot be entered.')
}
