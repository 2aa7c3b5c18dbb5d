import { ApiError } from '../kernel/errors.ts'
import type { Call, CallMedia } from './call.ts'
import type { CallRoom } from './room.ts'

export type { Call, CallMedia, CallPeer } from './call.ts'

export interface BrowserCall {
  /**
   * Joins the call of a room with microphone and camera; `media` can turn each off. Throws `forbidden` when the browser may not use them,
   * and `unavailable` when the call is full.
   */
  join(room: CallRoom, media?: CallMedia): Promise<Call>
}

export const call: BrowserCall = {
  async join(room, { audio = true, video = true } = {}) {
    const { CallSession } = await import('./session.ts')
    return await CallSession.join(room, { audio, video }, (code, message) => new ApiError(code, message))
  },
}
