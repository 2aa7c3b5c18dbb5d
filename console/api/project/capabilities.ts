import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type {
  GetCapabilityData,
  GetEventsSummaryResponses,
  GetMeterUsageResponses,
  ListScheduledJobsResponses,
  ListRecordPagesResponses,
  RunRenderData,
  SetCapabilityData,
} from '@slipway/sdk/client/types.gen.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call, sendRender } from '../request/client.ts'
import { blobOf } from '../request/blob-of.ts'

export type CapabilityChange = SetCapabilityData['body']

/** The polling interval while a resource is being created. */
const CREATING_REFETCH_MS = 2_000
/** The polling interval of the list of running audio and video calls. */
const CALLS_REFETCH_MS = 10_000

export const capabilitiesQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.capabilities.list(projectId),
    queryFn: ({ signal }) => call(api.listCapabilities({ path: { projectId }, signal })),
    refetchInterval: ({ state }) =>
      state.data?.some(({ provision }) => provision.state === 'creating') ? CREATING_REFETCH_MS : false,
  })

export const capabilityQuery = (projectId: string, key: GetCapabilityData['path']['key']) =>
  queryOptions({
    queryKey: queryKeys.capabilities.one(projectId, key),
    queryFn: ({ signal }) => call(api.getCapability({ path: { projectId, key }, signal })),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.provision.state === 'creating' ? CREATING_REFETCH_MS : false,
  })

export const setCapability = (projectId: string, key: string, change: CapabilityChange) =>
  call(api.setCapability({ path: { projectId, key }, body: change }))

export const collectionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.collections(projectId),
    queryFn: ({ signal }) => call(api.listCollections({ path: { projectId }, signal })),
  })

/** The records of a collection that match a search, the best match first. */
export const recordSearchQuery = (projectId: string, collection: string, q: string) =>
  queryOptions({
    queryKey: queryKeys.records.found(projectId, collection, q),
    queryFn: ({ signal }) => findRecords(projectId, collection, q, signal),
  })

export const findRecords = (projectId: string, collection: string, q: string, signal?: AbortSignal) =>
  call(api.queryRecords({ path: { projectId }, query: { collection, q }, ...(signal && { signal }) }))

/** The sort order and the filters (JSON) of a list of records, as the URL of the page contains them. */
export interface RecordOrder {
  sort?: string | undefined
  where?: string | undefined
}

export type RecordPage = ListRecordPagesResponses[200]['data']

const PAGE_RECORDS = 50
/** The most records that the service returns in one page. */
export const EXPORT_RECORDS = 200

/** The records of a collection page by page, the newest first unless another order is asked for. */
export const recordPagesQuery = (projectId: string, collection: string, order: RecordOrder) =>
  infiniteQueryOptions({
    queryKey: queryKeys.records.pages(projectId, collection, order),
    queryFn: ({ pageParam, signal }) =>
      readRecordPage({ projectId, collection }, { ...order, limit: PAGE_RECORDS, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const readRecordPage = (
  path: { projectId: string; collection: string },
  {
    partition,
    sort,
    where,
    limit,
    cursor,
  }: RecordOrder & { limit: number; cursor: string; partition?: string },
  signal?: AbortSignal,
): Promise<RecordPage> =>
  call(
    api.listRecordPages({
      path,
      query: {
        limit,
        ...(partition && { partition }),
        ...(sort && { sort }),
        ...(where && { where }),
        ...(cursor && { cursor }),
      },
      ...(signal && { signal }),
    }),
  )

/** The records with these ids, at most 50. */
export const namedRecordsQuery = (projectId: string, collection: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.records.named(projectId, collection, ids),
    queryFn: ({ signal }) => {
      const where = JSON.stringify({ id: { in: ids } })
      return readRecordPage({ projectId, collection }, { where, limit: EXPORT_RECORDS, cursor: '' }, signal)
    },
  })

interface RecordTarget {
  projectId: string
  collection: string
  partition: string
}

export const createRecord = (path: RecordTarget, body: Record<string, unknown>) =>
  call(api.createRecord({ path, body }))

/** Creates up to 100 records. With `trial` it creates none and only returns which of them would be refused. */
export const importRecords = (
  path: RecordTarget,
  body: { records: { id: string; fields: Record<string, unknown> }[]; trial: boolean },
) => call(api.importRecords({ path, body }))

export interface RecordPlace {
  projectId: string
  collection: string
  partition: string
  id: string
}

/** Replaces the whole record. Throws when `rev` is not the stored revision, so no newer change is overwritten. */
export const replaceRecord = (path: RecordPlace, body: Record<string, unknown>) =>
  call(api.replaceRecord({ path, body }))

export const deleteRecord = (path: RecordPlace) => call(api.deleteRecord({ path }))

/** The codes and links that the live app could not mail to its people, newest first. */
export const readAppOutbox = (projectId: string) =>
  call(api.listAppOutbox({ path: { projectId }, query: { limit: 200 } }))

export const setAppUserRole = (projectId: string, userId: string, role: 'member' | 'staff') =>
  call(api.setAppUserRole({ path: { projectId, userId }, body: { role } }))

export const eraseAppUser = (projectId: string, userId: string) =>
  call(api.eraseAppUser({ path: { projectId, userId } }))

export type MeterLimit = GetMeterUsageResponses[200]['data']['limits'][number]

/** The most teams that the service returns in one page. */
const TEAMS_MAX = 1000

/** The teams of the live app, newest first. */
export const appTeamsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.appTeams(projectId),
    queryFn: ({ signal }) =>
      call(api.listTeams({ path: { projectId }, query: { limit: TEAMS_MAX }, signal })),
  })

/** The event counts of the live app: one row per event name and group, the most frequent first. */
export const eventsSummaryQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.eventsSummary(projectId),
    queryFn: ({ signal }) => call(api.getEventsSummary({ path: { projectId }, signal })),
  })

type EventSums = Extract<GetEventsSummaryResponses[200]['data'], { state: 'ok' }>
export type EventItem = EventSums['items'][number]
/** The counted events of one day in UTC. */
export type EventDay = EventSums['days'][number]

export const aiSpendQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.aiSpend(projectId),
    queryFn: ({ signal }) => call(api.getAiSpend({ path: { projectId }, signal })),
  })

/**
 * Sends a prompt to the AI model of the live app. It counts as one of the model runs that the app may use in
 * a month.
 */
export const runAi = (projectId: string, prompt: string) =>
  call(api.runAi({ path: { projectId }, body: { prompt } }))

export type RenderedPage = RunRenderData['body']

/** Renders a web page as a PDF, a screenshot or Markdown. It counts as one of the pages that the app may render in a month. */
export async function runRender(projectId: string, page: RenderedPage): Promise<Blob> {
  const { data } = await api.runRender({
    path: { projectId },
    body: page,
    parseAs: 'blob',
    fetch: sendRender,
  })
  return blobOf(data)
}

export const meterUsageQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.meterUsage(projectId),
    queryFn: ({ signal }) => call(api.getMeterUsage({ path: { projectId }, signal })),
  })

export const videoSpendQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.videoSpend(projectId),
    queryFn: ({ signal }) => call(api.getVideoSpend({ path: { projectId }, signal })),
  })

/** The videos of the live app, the newest first. */
export const videosQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.videos(projectId),
    queryFn: ({ signal }) => call(api.listVideos({ path: { projectId }, query: { limit: 1000 }, signal })),
  })

export const callsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.calls(projectId),
    queryFn: ({ signal }) => call(api.listCalls({ path: { projectId }, signal })),
    // Do not poll before a read has succeeded: when the first read fails, the app cannot be reached.
    refetchInterval: ({ state }) => (state.data === undefined ? false : CALLS_REFETCH_MS),
  })

export const renderSpendQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.renderSpend(projectId),
    queryFn: ({ signal }) => call(api.getRenderSpend({ path: { projectId }, signal })),
  })

/** The files that people and code of the live app stored, by key. */
export const fileObjectsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.files(projectId),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.listFileObjects({
          path: { projectId },
          query: { ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export async function readFileObject(projectId: string, key: string): Promise<Blob> {
  const { data } = await api.getFileObject({ path: { projectId }, query: { key }, parseAs: 'blob' })
  return blobOf(data)
}

export type ScheduledJob = ListScheduledJobsResponses[200]['data'][number]

/** The schedules of the live app, the soonest first. */
export const scheduledJobsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.scheduledJobs(projectId),
    queryFn: ({ signal }) => call(api.listScheduledJobs({ path: { projectId }, signal })),
  })
