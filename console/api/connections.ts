import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import type { Connections, ModelConnection, ModelConnectionInput, ModelTest } from './types.ts'

export const connectionsQuery = () =>
  queryOptions({
    queryKey: ['connections'],
    queryFn: ({ signal }) => request<Connections>('GET', '/connections', { signal }),
  })

export const modelConnectionsQuery = () =>
  queryOptions({
    queryKey: ['models'],
    queryFn: ({ signal }) => request<ModelConnection[]>('GET', '/connections/models', { signal }),
  })

export const createModelConnection = (input: ModelConnectionInput) =>
  request<ModelConnection>('POST', '/connections/models', { body: input })

export const updateModelConnection = (id: string, input: Partial<ModelConnectionInput>) =>
  request<ModelConnection>('PATCH', `/connections/models/${id}`, { body: input })

export const deleteModelConnection = (id: string) => request<unknown>('DELETE', `/connections/models/${id}`)

/** One small call to the model: does it answer, and how fast. */
export const testModelConnection = (id: string) =>
  request<ModelTest>('POST', `/connections/models/${id}/test`)
