import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type {
  GetReadinessResponses,
  ListDeploymentsResponses,
  ReconcileProjectResponses,
} from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type Deployments = ListDeploymentsResponses[200]['data']
export type ManagedResource = Deployments['managed'][number]
export type Release = Deployments['releases'][number]
export type Readiness = GetReadinessResponses[200]['data']['readiness']
export type Reconciliation = ReconcileProjectResponses[200]['data']

export const deploymentQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.deployments.state(projectId),
    queryFn: ({ signal }) => call(api.getDeploy({ path: { projectId }, signal })),
    // The service responds after 60 s at most, even when the deployment takes longer, so poll until the
    // deployment has ended.
    refetchInterval: (query) => (query.state.data?.state === 'deploying' ? 2000 : false),
  })

/** The capabilities that are not ready yet. Polled until all are. */
export const readinessQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.deployments.readiness(projectId),
    queryFn: async ({ signal }) => (await call(api.getReadiness({ path: { projectId }, signal }))).readiness,
    staleTime: 0,
    refetchInterval: (query) => (query.state.data?.warming.length ? 2000 : false),
  })

export const deploymentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.deployments.list(projectId),
    queryFn: ({ signal }) => call(api.listDeployments({ path: { projectId }, signal })),
    staleTime: 0,
  })

export const shipProject = (projectId: string) => call(api.shipProject({ path: { projectId } }))
export const archiveProject = (projectId: string) => call(api.archiveProject({ path: { projectId } }))
export const unarchiveProject = (projectId: string) => call(api.unarchiveProject({ path: { projectId } }))

/** Deletes the project and its resources. The project remains when one of its resources could not be deleted in time. */
export const deleteProject = (projectId: string) => call(api.deleteProject({ path: { projectId } }))

export const rollBackResource = (projectId: string, resourceId: string) =>
  call(api.rollBackResource({ path: { projectId, resourceId } }))

export const removeResource = (projectId: string, resourceId: string) =>
  call(api.removeResource({ path: { projectId, resourceId } }))

export const reconcileProject = (projectId: string) => call(api.reconcileProject({ path: { projectId } }))
