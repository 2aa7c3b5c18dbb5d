import { type MonthSpend, spendOfMonth } from '../directory/month.ts'
import { directoryOf, type Tier } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Methods } from './object-types.ts'
import { callVideos } from './rpc.ts'
import { videoSettingsOf } from './settings.ts'
import type { ListedVideo } from './types.ts'

interface VideoReads {
  /** Returns the minutes that production and preview have used together, including reserved ones. */
  videoSpend(): Promise<MonthSpend>
  /** Returns the videos, newest first. */
  videoList(tier: Tier, limit: number): Promise<ListedVideo[]>
}

const createVideos = async (parts: PartContext) => (await parts.load()).createVideos(parts)

export const part: Part<Methods, object, VideoReads> = {
  methods: { videos: (parts) => async (kind, ask) => (await parts.once(createVideos)).answer(kind, ask) },
  reads: {
    videoSpend: (at) => () =>
      spendOfMonth(at.objects, { key: 'video', monthly: videoSettingsOf(at.env).monthly }),
    videoList: (at) => async (tier, limit) => {
      const listed = await callVideos(at.objects, tier, 'list', { userId: null, limit })
      const ids = listed.map(({ userId }) => userId)
      const names = await directoryOf(at.objects, tier).users('names', { ids })
      return listed.map((video) => ({ ...video, userName: names[video.userId] ?? null }))
    },
  },
  erasure: {
    count: async ({ objects, tier, userId }) => ({
      removed: { videos: await callVideos(objects, tier, 'count', { userId }) },
    }),
    erase: ({ objects, tier, userId }) => callVideos(objects, tier, 'removeOf', { userId }),
  },
  wake: { directory: { videos: async (parts) => (await parts.once(createVideos)).wake() } },
}
