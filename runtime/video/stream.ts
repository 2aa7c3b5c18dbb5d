import { ApiError } from '../kernel/errors.ts'

export interface StreamVideo {
  status: { state: string }
  /** Seconds; -1 until it is known. */
  duration: number
  thumbnail: string
  /** The page that plays it: `<origin>/<id>/watch`. */
  preview: string
}

export interface Stream {
  createDirectUpload(params: object): Promise<{ id: string; uploadURL: string }>
  video(id: string): {
    details(): Promise<StreamVideo>
    /** A token that plays the video for an hour. */
    generateToken(): Promise<string>
    delete(): Promise<void>
  }
}

/** Throws `not_enabled` while the live worker has no binding. */
export function streamOf(env: unknown): Stream {
  const stream = (env as Record<string, unknown>)['STREAM'] as Stream | undefined
  if (stream !== undefined) return stream
  throw new ApiError('not_enabled', 'The app has no place for videos. Ship it again.')
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && /not ?found|could not be found/i.test(`${error.name} ${error.message}`)

/** Null when the provider does not have the video any more. */
export async function detailsOf(stream: Stream, id: string): Promise<StreamVideo | null> {
  try {
    return await stream.video(id).details()
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** Succeeds also when the provider does not have the video any more. */
export async function deleteAt(stream: Stream, id: string): Promise<void> {
  try {
    await stream.video(id).delete()
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
