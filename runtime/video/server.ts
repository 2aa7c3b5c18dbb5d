import { sessionOf } from '../kernel/access/session.ts'
import { fieldsOf } from '../kernel/fields.ts'
import { callVideo } from './rpc-client.ts'
import type { NewVideo, OwnedVideo, VideoPlayer, VideoUpload } from './types.ts'

export type { NewVideo, OwnedVideo, VideoPlayer, VideoStatus, VideoUpload } from './types.ts'

export interface PersonVideo {
  /** Reserves the video's minutes in the app's monthly budget. Returns an address to which a browser can upload one file. */
  createUpload(video: NewVideo): Promise<VideoUpload>
  /** Returns the videos, newest first. */
  list(): Promise<OwnedVideo[]>
  get(id: string): Promise<OwnedVideo>
  /** Returns the address of a player page to show in a frame. The link is valid for an hour. */
  playerUrl(id: string): Promise<VideoPlayer>
  remove(id: string): Promise<void>
}

/** Video methods for server code, which decides who else may watch a video. */
export interface ServerVideo {
  /** Acts with the rights of a request's sender (`c.req.raw`). */
  as(request: Request): PersonVideo
  /** Returns the videos of a person, newest first. */
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
      createUpload: (given) => {
        const { name, maxSeconds = null } = fieldsOf(given)
        return callVideo('create', { session, name, maxSeconds, host })
      },
      list: () => callVideo('list', { session, userId: null }),
    }
  },
  ...functionsFor(null),
  list: (userId) => callVideo('list', { session: null, userId }),
}
