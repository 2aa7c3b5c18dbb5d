import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type {
  GetReadinessResponses,
  ListDeploymentsResponses,
  ReconcileProjectResponses,
} from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type DeploymentOverview = ListDeploymentsResponses[200]['data']
export type ManagedResource = DeploymentOverview['managed'][number]
export type Release = DeploymentOverview['releases'][number]
export type Readiness = GetReadinessResponses[200]['data']['readiness']
export type Reconciliation = ReconcileProjectResponses[200]['data']

/** What is live, and whether a deployment is running or has failed. Polled while one is running. */
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

/** Every resource that the project has in the cloud account, and its releases. The status of a resource may be a minute old. */
export const deploymentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.deployments.list(projectId),
    queryFn: ({ signal }) => call(api.listDeployments({ path: { projectId }, signal })),
    staleTime: 0,
  })

/**
 * Ships the newest version. The response says `deploying` when that takes longer than 60 s; `deploymentQuery` then polls until it has
 * ended.
 */
export const shipProject = (projectId: string) => call(api.shipProject({ path: { projectId } }))
/** Takes the app and its preview offline and keeps everything else. Archiving again retries what could not be taken offline. */
export const archiveProject = (projectId: string) => call(api.archiveProject({ path: { projectId } }))
/** Makes an archived project active again. The app is served again only after the next ship. */
export const unarchiveProject = (projectId: string) => call(api.unarchiveProject({ path: { projectId } }))

/** Deletes the project and its resources. The project remains when one of its resources could not be deleted in time. */
export const deleteProject = (projectId: string) => call(api.deleteProject({ path: { projectId } }))

/** Serves the previous version of a worker. A second call goes back one more version. The code of the project does not change. */
export const rollBackResource = (projectId: string, resourceId: string) =>
  call(api.rollBackResource({ path: { projectId, resourceId } }))

/** Deletes a resource with its data. `remaining` above 0 means that a bucket is not empty yet, and the call has to be repeated. */
export const removeResource = (projectId: string, resourceId: string) =>
  call(api.removeResource({ path: { projectId, resourceId } }))

/**
 * Compares the resources with the cloud account and repairs differences. Throws `unavailable` after a minute; a repeated call waits for the
 * same work.
 */
export const reconcileProject = (projectId: string) => call(api.reconcileProject({ path: { projectId } }))
