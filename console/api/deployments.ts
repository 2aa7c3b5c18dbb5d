import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import type { Deployment } from './types.ts'

export const deploymentQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['deployments', 'state', projectId],
    queryFn: ({ signal }) => request<Deployment>('GET', `/projects/${projectId}/deploy`, { signal }),
    // A ship past 60 s goes on without its request: the state is read until it settles.
    refetchInterval: (query) => (query.state.data?.state === 'deploying' ? 2000 : false),
  })

export const deployProject = (projectId: string) =>
  request<Deployment>('POST', `/projects/${projectId}/deploy`)
