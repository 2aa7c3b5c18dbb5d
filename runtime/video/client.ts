import { ApiError } from '../kernel/errors.ts'
import { storedFileName } from '../kernel/file-name.ts'
import { callRoute } from '../web/api.ts'
import type { NewVideo, OwnedVideo, VideoPlayer, VideoUpload } from './types.ts'

export type { OwnedVideo, VideoStatus } from './types.ts'

const VIDEO_PATH = '/_app/video'
/** Encoded, because the id may come from the address of a page, and must not lead to another route. */
const pathOf = (id: string) => `${VIDEO_PATH}/${encodeURIComponent(id)}`

export interface BrowserVideo {
  /**
   * Reserves the video's minutes in the app's monthly budget and uploads the file. Resolves to the video's id
   * once all bytes are uploaded.
   */
  upload(file: File, details?: Partial<NewVideo>): Promise<{ id: string }>
  /** Returns the videos, newest first. */
  list(): Promise<OwnedVideo[]>
  get(id: string): Promise<OwnedVideo>
  /** Returns the address of a player page to show in a frame. The link is valid for an hour. */
  playerUrl(id: string): Promise<VideoPlayer>
  remove(id: string): Promise<void>
}

export const video: BrowserVideo = {
  async upload(file, { name = storedFileName(file.name), maxSeconds } = {}) {
    const { id, uploadUrl } = await callRoute<VideoUpload>('POST', `${VIDEO_PATH}/uploads`, {
      name,
      maxSeconds,
    })
    const body = new FormData()
    body.set('file', file)
    const answer = await fetch(uploadUrl, { method: 'POST', body }).catch(() => null)
    if (answer?.ok === true) return { id }
    // Frees the reserved minutes. If this fails too, they are freed after a day.
    await video.remove(id).catch(() => {})
    throw new ApiError('unavailable', 'The video could not be uploaded. Try again.')
  },
  list: () => callRoute('GET', VIDEO_PATH),
  get: (id) => callRoute('GET', pathOf(id)),
  playerUrl: (id) => callRoute('GET', `${pathOf(id)}/player`),
  async remove(id) {
    await callRoute('DELETE', pathOf(id))
  },
}
