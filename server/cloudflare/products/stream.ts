import * as z from 'zod'
import type { Cloud } from '../client.ts'

const VIDEOS_PATH = '/accounts/:account/stream'
/** The most videos that the provider returns in one page. */
const PAGE_SIZE = 1000

const Video = z.looseObject({
  uid: z.string(),
  created: z.string(),
  meta: z.record(z.string(), z.unknown()).nullish(),
})

/** Throws a `CloudflareError` with the reason when the account or its credential may not use Cloudflare Stream. */
export async function requireStream(cloud: Cloud): Promise<void> {
  await cloud.call({
    method: 'GET',
    path: `${VIDEOS_PATH}/storage-usage`,
    doing: 'check whether the account has Stream',
    result: z.unknown(),
  })
}

/** Deletes the videos whose `meta.project` is this project, the newest first. Returns how many were deleted. */
export async function deleteVideosOf(cloud: Cloud, projectId: string): Promise<number> {
  let deleted = 0
  for (let before: string | null = null; ;) {
    const page: z.output<typeof Video>[] = await cloud.call({
      method: 'GET',
      path: VIDEOS_PATH,
      query: { limit: String(PAGE_SIZE), ...(before !== null && { before }) },
      doing: 'list the videos of the app',
      result: z.array(Video),
    })
    for (const { uid, meta } of page) {
      if (meta?.['project'] !== projectId) continue
      await cloud.call({
        method: 'DELETE',
        path: `${VIDEOS_PATH}/${encodeURIComponent(uid)}`,
        doing: 'delete a video of the app',
        result: z.unknown(),
        missing: 'null',
        write: { action: 'video.remove', target: uid },
      })
      deleted++
    }
    const oldest = page.at(-1)?.created
    // There are no older videos when a page ends with the video that the previous page ended with.
    if (oldest === undefined || oldest === before) return deleted
    before = oldest
  }
}
