import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const deploymentQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['deployments', 'state', projectId],
    queryFn: ({ signal }) => call(api.getDeploy({ path: { projectId }, signal })),
    // A ship past 60 s goes on without its request: the state is read until it settles.
    refetchInterval: (query) => (query.state.data?.state === 'deploying' ? 2000 : false),
  })

export const shipProject = (projectId: string) => call(api.shipProject({ path: { projectId } }))
