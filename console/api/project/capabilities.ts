import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type {
  GetCapabilityData,
  ListAppUsersResponses,
  SetCapabilityData,
} from '@slipway/sdk/client/types.gen.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type CapabilityChange = SetCapabilityData['body']

/** While something is being made it is read again; in a steady state nothing is asked. */
const FOLLOW_MS = 2_000

export const capabilitiesQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.capabilities.list(projectId),
    queryFn: ({ signal }) => call(api.listCapabilities({ path: { projectId }, signal })),
    refetchInterval: ({ state }) =>
      state.data?.some(({ provision }) => provision.state === 'creating') ? FOLLOW_MS : false,
  })

export const capabilityQuery = (projectId: string, key: GetCapabilityData['path']['key']) =>
  queryOptions({
    queryKey: queryKeys.capabilities.one(projectId, key),
    queryFn: ({ signal }) => call(api.getCapability({ path: { projectId, key }, signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.provision.state === 'creating' ? FOLLOW_MS : false),
  })

export const setCapability = (projectId: string, key: string, change: CapabilityChange) =>
  call(api.setCapability({ path: { projectId, key }, body: change }))

export const collectionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.collections(projectId),
    queryFn: ({ signal }) => call(api.listCollections({ path: { projectId }, signal })),
  })

/** The newest records of a collection, or those a search finds, best first. */
export const recordsQuery = (projectId: string, collection: string, q: string, limit: number) =>
  queryOptions({
    queryKey: queryKeys.records.page(projectId, collection, q, limit),
    queryFn: ({ signal }) =>
      q === ''
        ? call(api.listRecords({ path: { projectId, collection }, query: { limit }, signal }))
        : call(api.queryRecords({ path: { projectId }, query: { collection, q }, signal })),
  })

export interface RecordPlace {
  projectId: string
  collection: string
  partition: string
  id: string
}

/** Takes the whole record; a `rev` that is no longer the stored one is refused. */
export const replaceRecord = (path: RecordPlace, body: Record<string, unknown>) =>
  call(api.replaceRecord({ path, body }))

export const deleteRecord = (path: RecordPlace) => call(api.deleteRecord({ path }))

export type AppUser = ListAppUsersResponses[200]['data'][number]

/** The people of the live app, the newest first. */
export const appUsersQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.appUsers(projectId),
    queryFn: ({ signal }) => call(api.listAppUsers({ path: { projectId }, query: { limit: 1000 }, signal })),
  })

export const setAppUserRole = (projectId: string, userId: string, role: AppUser['role']) =>
  call(api.setAppUserRole({ path: { projectId, userId }, body: { role } }))

export const eraseAppUser = (projectId: string, userId: string) =>
  call(api.eraseAppUser({ path: { projectId, userId } }))

/** What people and code of the live app stored, by key. */
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

/** The bytes of one stored file. */
export async function readFileObject(projectId: string, key: string): Promise<Blob> {
  const { data } = await api.getFileObject({ path: { projectId }, query: { key }, parseAs: 'blob' })
  // The generated type says text; the bytes are not to be read as any.
  return data as unknown as Blob
}
