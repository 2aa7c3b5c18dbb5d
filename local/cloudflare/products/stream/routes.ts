import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { newSecret } from '../../../world/ids.ts'
import { DirectUpload, toUploadShape, toVideoShape } from './shapes.ts'
import { type Video, VideoInput, type Videos } from './videos.ts'
import { requireScope } from '../../rest/authenticate.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { respond, isoTime } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody, readQuery } from '../../rest/read-body.ts'

const LISTED_MAX = 1000
const TokenInput = z.looseObject({ exp: z.number().int().optional() })
const Moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
/** As at the provider, the list has no pages: a client continues with the time of the last video. */
const VideoQuery = z.object({
  after: Moment.optional(),
  start: Moment.optional(),
  before: Moment.optional(),
  end: Moment.optional(),
  asc: z.enum(['true', 'false']).optional(),
  creator: z.string().optional(),
  id: z.string().optional(),
  include_counts: z.enum(['true', 'false']).optional(),
  limit: z.coerce.number().int().min(1).max(LISTED_MAX).default(LISTED_MAX),
  search: z.string().optional(),
  status: z.string().optional(),
  video_name: z.string().optional(),
})
const Webhook = z.object({ notificationUrl: z.url() })

/** Lists the matching videos, newest first unless `asc` is set. */
function listMatching(videos: Videos, accountId: string, wanted: z.output<typeof VideoQuery>): Video[] {
  const { after, start = after, before, end = before, creator, status, search, video_name: name } = wanted
  const ids = wanted.id?.split(',')
  const found = videos
    .list(accountId)
    .filter(
      (video) =>
        (start === undefined || video.createdAt > start) && (end === undefined || video.createdAt < end),
    )
    .filter((video) => ids === undefined || ids.includes(video.uid))
    .filter((video) => creator === undefined || video.creator === creator)
    .filter((video) => status === undefined || videos.state(video) === status)
    .filter((video) => search === undefined || String(video.meta['name'] ?? '').includes(search))
    .filter((video) => name === undefined || video.meta['name'] === name)
  return wanted.asc === 'true' ? found.toReversed() : found
}

/** Stream over REST, mounted at /stream. Upload and playback, which need no token, are in `public-routes.ts`. */
export function streamRoutes({ videos, store, now }: Cloud & { videos: Videos }): Hono<ApiEnv> {
  const requireVideo = (c: Context<ApiEnv>): Video => {
    const video = videos.find(c.req.param('uid') ?? '', c.get('account').id)
    if (video === null) throw new ApiFailure(404, 10003, 'Not Found: The requested video could not be found')
    return video
  }
  const findWebhook = (c: Context<ApiEnv>) => {
    const row = store.get<{ url: string; secret: string; modified_at: number }>(
      'SELECT * FROM stream_webhooks WHERE account_id = ?',
      c.get('account').id,
    )
    if (row === undefined) throw new ApiFailure(404, 10003, 'Not Found: no webhook is set')
    return { notificationUrl: row.url, secret: row.secret, modified: isoTime(row.modified_at) }
  }
  return (
    new Hono<ApiEnv>()
      .use(requireScope('stream.write'))
      .post('/direct_upload', async (c) => {
        const video = videos.create(c.get('account').id, await readBody(c, DirectUpload))
        return respond(c, toUploadShape(videos, video))
      })
      .get('/storage-usage', (c) => {
        const own = videos.list(c.get('account').id)
        const seconds = own.reduce((sum, video) => sum + (video.durationSeconds ?? 0), 0)
        return respond(c, {
          totalStorageMinutes: Math.ceil(seconds / 60),
          totalStorageMinutesLimit: 1000,
          videoCount: own.length,
          creator: null,
        })
      })
      // As at the provider, the whole account has one webhook.
      .get('/webhook', (c) => respond(c, findWebhook(c)))
      .put('/webhook', async (c) => {
        const { notificationUrl } = await readBody(c, Webhook)
        store.run(
          `INSERT INTO stream_webhooks (account_id, url, secret, modified_at) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET url = excluded.url, modified_at = excluded.modified_at`,
          c.get('account').id,
          notificationUrl,
          newSecret(''),
          now(),
        )
        return respond(c, findWebhook(c))
      })
      .delete('/webhook', (c) => {
        store.run('DELETE FROM stream_webhooks WHERE account_id = ?', c.get('account').id)
        return respond(c, '')
      })
      .get('/', (c) => {
        const wanted = readQuery(c, VideoQuery)
        const found = listMatching(videos, c.get('account').id, wanted)
        const shown = found.slice(0, wanted.limit).map((video) => toVideoShape(videos, video))
        const counts = wanted.include_counts === 'true' ? { range: shown.length, total: found.length } : {}
        return c.json({ success: true, errors: [], messages: [], result: shown, ...counts })
      })
      .get('/:uid', (c) => respond(c, toVideoShape(videos, requireVideo(c))))
      .post('/:uid', async (c) => {
        const input = await readBody(c, VideoInput)
        return respond(c, toVideoShape(videos, videos.update(requireVideo(c), input)))
      })
      .delete('/:uid', (c) => {
        videos.remove(requireVideo(c))
        return respond(c, null)
      })
      .post('/:uid/token', async (c) => {
        // The body is optional.
        const { exp } = (await c.req.text()) === '' ? {} : await readBody(c, TokenInput)
        return respond(c, {
          token: videos.token(requireVideo(c), exp === undefined ? undefined : exp * 1000),
        })
      })
  )
}
