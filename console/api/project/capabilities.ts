import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type {
  GetCapabilityData,
  ListRecordPagesResponses,
  SetCapabilityData,
} from '@slipway/sdk/client/types.gen.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type CapabilityChange = SetCapabilityData['body']

/** The polling interval while a resource is being created. */
const CREATING_REFETCH_MS = 2_000

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

/** The records of a collection in pages, by default the newest first. */
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

/** Creates up to 100 records. With `trial` it creates none and only returns which records would be refused. */
export const importRecords = (
  path: RecordTarget,
  body: { records: { id: string; fields: Record<string, unknown> }[]; trial: boolean },
) => call(api.importRecords({ path, body }))

export interface RecordPath {
  projectId: string
  collection: string
  partition: string
  id: string
}

/** Replaces the whole record. Throws when `rev` is not the stored revision, so no newer change is overwritten. */
export const replaceRecord = (path: RecordPath, body: Record<string, unknown>) =>
  call(api.replaceRecord({ path, body }))

export const deleteRecord = (path: RecordPath) => call(api.deleteRecord({ path }))
