import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import type { Page, Project } from './types.ts'

/** All projects by pages, newest first, narrowed by a part of the name. */
export const projectsQuery = (q = '') =>
  infiniteQueryOptions({
    queryKey: ['projects', 'list', q],
    queryFn: ({ pageParam, signal }) =>
      request<Page<Project>>('GET', '/projects', { query: { q, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', 'one', projectId],
    queryFn: ({ signal }) => request<Project>('GET', `/projects/${projectId}`, { signal }),
    staleTime: 0,
  })

/** The same key may be sent again: the project is created once. */
export const createProject = (input: { name?: string }, idempotencyKey: string) =>
  request<Project>('POST', '/projects', { body: input, headers: { 'Idempotency-Key': idempotencyKey } })

export const updateProject = (projectId: string, input: { name?: string; slug?: string }) =>
  request<Project>('PATCH', `/projects/${projectId}`, { body: input })
