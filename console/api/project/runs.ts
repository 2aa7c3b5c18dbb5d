import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import type { SequencedFrame } from '@slipway/sdk/frames.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

const PAGE_SIZE = 100
/** The most frames (messages of the build stream) that the service returns in one page. */
const FRAMES_MAX = 1000
/** The polling interval of a running build on a page that does not stream it. */
export const RUN_REFETCH_MS = 10_000

/** All builds of a project, newest first, in pages. Polled while the newest is running. */
export const runsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.runs.list(projectId),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.listRuns({
          path: { projectId },
          query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ({ state }) => (isRunActive(state.data?.pages[0]?.items[0]) ? RUN_REFETCH_MS : false),
  })

/** Whether a run is queued or running. The status of such a run changes without a person's action, so pages poll it. */
export const isRunActive = (run: BuildRun | undefined) =>
  run?.status === 'queued' || run?.status === 'running'

/** Every stored frame (message of the build stream) of a build run that has ended, in order. */
export const runFramesQuery = (projectId: string, runId: string) =>
  queryOptions({
    queryKey: queryKeys.runs.frames(projectId, runId),
    queryFn: async ({ signal }) => {
      const frames: SequencedFrame[] = []
      for (let after = 0; ; after = frames.at(-1)?.seq ?? after) {
        const part = (await call(
          api.listRunEvents({ path: { projectId, runId }, query: { after }, signal }),
        )) as SequencedFrame[]
        frames.push(...part)
        if (part.length < FRAMES_MAX) return frames
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const usageQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.runs.usage(projectId),
    queryFn: ({ signal }) => call(api.getUsage({ path: { projectId }, signal })),
  })
