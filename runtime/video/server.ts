import { sessionOf } from '../kernel/session.ts'
import { callVideo } from './rpc-client.ts'
import type { NewVideo, OwnedVideo, VideoPlayer, VideoUpload } from './types.ts'

export interface PersonVideo {
  /** Reserves the minutes, and returns the address to which the browser uploads the file once. */
  createUpload(video: NewVideo): Promise<VideoUpload>
  /** The newest first. */
  list(): Promise<OwnedVideo[]>
  get(id: string): Promise<OwnedVideo>
  /** Returns the address of a page to show in a frame. It opens within an hour. */
  playerUrl(id: string): Promise<VideoPlayer>
  remove(id: string): Promise<void>
}

/** For the app's server code, which decides who else may watch a video. */
export interface ServerVideo {
  /** As the sender of a request (`c.req.raw`). */
  as(request: Request): PersonVideo
  /** The videos of a person, the newest first. */
  list(userId: string): Promise<OwnedVideo[]>
  get(id: string): Promise<OwnedVideo>
  playerUrl(id: string): Promise<VideoPlayer>
  remove(id: string): Promise<void>
}

const functionsFor = (session: string | null) => ({
  get: (id: string) => callVideo('get', { session, id }),
  playerUrl: (id: string) => callVideo('player', { session, id }),
  async remove(id: string) {
    await callVideo('remove', { session, id })
  },
})

export const video: ServerVideo = {
  as(request) {
    const session = sessionOf(request) ?? ''
    const { host } = new URL(request.url)
    return {
      ...functionsFor(session),
      createUpload: ({ name, maxSeconds }) =>
        callVideo('create', { session, name, maxSeconds: maxSeconds ?? null, host }),
      list: () => callVideo('list', { session, userId: null }),
    }
  },
  ...functionsFor(null),
  list: (userId) => callVideo('list', { session: null, userId }),
}
