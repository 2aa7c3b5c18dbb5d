import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** All projects in pages, newest first, filtered by a part of the name. */
export const projectsQuery = (q = '') =>
  infiniteQueryOptions({
    queryKey: queryKeys.projects.list(q),
    queryFn: ({ pageParam, signal }) =>
      call(api.listProjects({ query: { ...(q && { q }), ...(pageParam && { cursor: pageParam }) }, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** One project. Fetched again whenever a page opens, because builds and other people change it. */
export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.projects.one(projectId),
    queryFn: ({ signal }) => call(api.getProject({ path: { projectId }, signal })),
    staleTime: 0,
  })

/** Creates a project. Several requests with the same key create only one project. */
export const createProject = (input: { name?: string }, idempotencyKey: string) =>
  call(api.createProject({ body: input, headers: { 'Idempotency-Key': idempotencyKey } }))

/** Renames a project, or sets the first part of its address (`slug`), which is fixed since the first build. */
export const updateProject = (projectId: string, input: { name?: string; slug?: string }) =>
  call(api.updateProject({ path: { projectId }, body: input }))
