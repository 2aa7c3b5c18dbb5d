import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import type { ModelConnectionInput } from './types.ts'

export const connectionsQuery = () =>
  queryOptions({
    queryKey: ['connections'],
    queryFn: ({ signal }) => call(api.getConnections({ signal })),
  })

export const modelConnectionsQuery = () =>
  queryOptions({
    queryKey: ['models'],
    queryFn: ({ signal }) => call(api.listModelConnections({ signal })),
  })

export const createModelConnection = (input: ModelConnectionInput) =>
  call(api.createModelConnection({ body: input }))

export const updateModelConnection = (id: string, input: Partial<Omit<ModelConnectionInput, 'provider'>>) =>
  call(api.updateModelConnection({ path: { id }, body: input }))

export const deleteModelConnection = (id: string) => call(api.deleteModelConnection({ path: { id } }))

/** One small call to the model: does it answer, and how fast. */
export const testModelConnection = (id: string) => call(api.testModelConnection({ path: { id } }))
