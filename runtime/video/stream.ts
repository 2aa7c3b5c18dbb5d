import { ApiError } from '../kernel/errors.ts'

/** A video as the provider describes it. */
export interface StreamVideo {
  status: { state: string }
  /** In seconds; -1 until it is known. */
  duration: number
  thumbnail: string
  /** A page that plays it: `<origin>/<id>/watch`. */
  preview: string
}

/** The binding to Stream, as far as it is used here. */
export interface Stream {
  createDirectUpload(params: object): Promise<{ id: string; uploadURL: string }>
  video(id: string): {
    details(): Promise<StreamVideo>
    /** Plays the video for an hour. */
    generateToken(): Promise<string>
    delete(): Promise<void>
  }
}

/** Returns the binding; throws while the live worker has none. */
export function streamOf(env: unknown): Stream {
  const stream = (env as Record<string, unknown>)['STREAM'] as Stream | undefined
  if (stream !== undefined) return stream
  throw new ApiError('not_enabled', 'The app has no place for videos. Ship it again.')
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && /not ?found|could not be found/i.test(`${error.name} ${error.message}`)

/** Returns what the provider says of a video; null when it is gone there. */
export async function detailsOf(stream: Stream, id: string): Promise<StreamVideo | null> {
  try {
    return await stream.video(id).details()
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** Deletes a video at the provider; one that is gone is fine. */
export async function deleteAt(stream: Stream, id: string): Promise<void> {
  try {
    await stream.video(id).delete()
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
