import { ApiError } from '../kernel/errors.ts'
import { fieldsOf } from '../kernel/fields.ts'

export interface StreamVideo {
  status: { state: string }
  /** The duration in seconds; -1 while unknown. */
  duration: number
  thumbnail: string
  /** The address of the player page: `<origin>/<id>/watch`. */
  preview: string
}

export interface Stream {
  createDirectUpload(params: object): Promise<{ id: string; uploadURL: string }>
  video(id: string): {
    details(): Promise<StreamVideo>
    /** Returns a token that plays the video for an hour. */
    generateToken(): Promise<string>
    delete(): Promise<void>
  }
}

/** Returns the binding to Cloudflare Stream. Throws `not_enabled` when this worker was deployed without it. */
export function streamOf(env: unknown): Stream {
  const stream = fieldsOf(env)['STREAM'] as Stream | undefined
  if (stream !== undefined) return stream
  throw new ApiError('not_enabled', 'The app has no place for videos. Ship it again.')
}

const isVideoMissing = (error: unknown): boolean =>
  error instanceof Error && /not ?found|could not be found/i.test(`${error.name} ${error.message}`)

/** Returns the state of a video at Stream; null when the video no longer exists there. */
export async function detailsOf(stream: Stream, id: string): Promise<StreamVideo | null> {
  try {
    return await stream.video(id).details()
  } catch (error) {
    if (isVideoMissing(error)) return null
    throw error
  }
}

/** Deletes a video. Also succeeds when the video no longer exists at Stream. */
export async function deleteFromStream(stream: Stream, id: string): Promise<void> {
  try {
    await stream.video(id).delete()
  } catch (error) {
    if (!isVideoMissing(error)) throw error
  }
}
