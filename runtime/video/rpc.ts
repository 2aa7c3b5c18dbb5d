import { endReservation, reserveOfMonth } from '../directory/month.ts'
import { rpcMethod, type LiveContext } from '../kernel/objects/rpc-method.ts'
import type { AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { ApiError, invalid, notSignedIn, unwrapResult } from '../kernel/errors.ts'
import { requireShortText, requireWholeNumber } from '../kernel/fields.ts'
import { directoryOf, type Objects, type Tier } from '../kernel/objects/objects.ts'
import { requirePerson } from '../kernel/access/person.ts'
import { RESERVATION_MS } from './object.ts'
import { videoSettingsOf } from './settings.ts'
import { deleteFromStream, detailsOf, streamOf } from './stream.ts'
import type { OwnedVideo, VideoCalls, VideoObjectCalls } from './types.ts'

const NAME_CHARS_MAX = 200
/** The maximum number of unfinished uploads of one person. Each upload reserves minutes that other people cannot use. */
const UNFINISHED_UPLOADS_MAX = 5
const LIST_MAX = 200
const USER_ID_CHARS_MAX = 100

/** Calls the directory, the Durable Object that stores the app's videos. Throws the `ApiError` that it returns. */
export async function callVideos<Kind extends keyof VideoObjectCalls>(
  objects: Objects,
  tier: Tier,
  kind: Kind,
  ask: VideoObjectCalls[Kind]['ask'],
): Promise<VideoObjectCalls[Kind]['answer']> {
  return unwrapResult(await directoryOf(objects, tier).videos(kind, ask))
}

export const handleVideos = rpcMethod<LiveContext, VideoCalls>(videoHandlers)

function videoHandlers({ objects, tier, env }: LiveContext): AsyncHandlersOf<VideoCalls> {
  /** Returns a video. Another person's video counts as missing. `session` is null for server code, which may read all videos. */
  async function requireVideo(session: string | null, id: unknown): Promise<OwnedVideo> {
    const userId = session === null ? null : (await requirePerson(objects, tier, session)).userId
    const video = typeof id === 'string' ? await callVideos(objects, tier, 'get', { id }) : null
    if (video === null || (userId !== null && video.userId !== userId))
      throw new ApiError('not_found', 'There is no such video.')
    return await withPoster(video)
  }

  /** The picture of a signed video needs a token, so each response gets a new token. */
  async function withPoster(video: OwnedVideo): Promise<OwnedVideo> {
    const { posterUrl, id } = video
    if (posterUrl === null || !videoSettingsOf(env).signed) return video
    return { ...video, posterUrl: posterUrl.replace(id, await streamOf(env).video(id).generateToken()) }
  }

  return {
    create: async ({ session, name, maxSeconds, host }) => {
      const { userId } = await requirePerson(objects, tier, session)
      const settings = videoSettingsOf(env)
      const stream = streamOf(env)
      if (typeof name !== 'string' || name.trim() === '' || name.length > NAME_CHARS_MAX)
        throw invalid('name', `must have 1 to ${NAME_CHARS_MAX} characters`)
      const longest = settings.maxSeconds
      const seconds = requireWholeNumber('maxSeconds', maxSeconds ?? longest, longest)
      if ((await callVideos(objects, tier, 'waiting', { userId })) >= UNFINISHED_UPLOADS_MAX)
        throw new ApiError(
          'conflict',
          `${UNFINISHED_UPLOADS_MAX} uploads wait already. Finish or remove one first.`,
        )
      const reservation = await reserveOfMonth(
        objects,
        { key: 'video', monthly: settings.monthly },
        {
          amount: Math.ceil(seconds / 60),
          refusal: `The app has fewer minutes of video left this month.`,
          keptMs: RESERVATION_MS,
        },
      )
      let id: string | null = null
      try {
        const upload = await stream.createDirectUpload({
          maxDurationSeconds: seconds,
          creator: userId,
          meta: { name, project: settings.project, tier },
          requireSignedURLs: settings.signed,
          allowedOrigins: [host],
        })
        id = upload.id
        const isStored = await callVideos(objects, tier, 'add', { id, userId, name, reservation })
        if (!isStored) throw notSignedIn()
        return { id, uploadUrl: upload.uploadURL }
      } catch (error) {
        // The video at Stream can be deleted: no caller has its upload address yet, so nothing was uploaded to it.
        if (id !== null) await deleteFromStream(stream, id).catch(() => {})
        await endReservation(objects, 'release', { id: reservation, route: 'video' })
        if (error instanceof ApiError) throw error
        throw new ApiError('unavailable', 'Videos cannot be taken right now. Try again.', { cause: error })
      }
    },

    list: async ({ session, userId }) => {
      // A missing `userId` must not list the videos of everyone.
      const owner =
        session === null
          ? requireShortText('userId', userId, USER_ID_CHARS_MAX)
          : (await requirePerson(objects, tier, session)).userId
      const videos = await callVideos(objects, tier, 'list', { userId: owner, limit: LIST_MAX })
      return await Promise.all(videos.map(withPoster))
    },

    get: ({ session, id }) => requireVideo(session, id),

    player: async ({ session, id }) => {
      const video = await requireVideo(session, id)
      if (video.status !== 'ready') throw new ApiError('conflict', 'The video is not ready yet.')
      const stream = streamOf(env)
      const found = await detailsOf(stream, video.id)
      if (found === null) throw new ApiError('not_found', 'There is no such video.')
      const word = videoSettingsOf(env).signed ? await stream.video(video.id).generateToken() : video.id
      return { url: new URL(`../${word}/iframe`, found.preview).href }
    },

    remove: async ({ session, id }) => {
      const video = await requireVideo(session, id)
      await callVideos(objects, tier, 'remove', { id: video.id })
      return null
    },
  }
}
