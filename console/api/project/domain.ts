import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { DomainStatus } from '@slipway/sdk/client/types.gen.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

const CHANGING_REFETCH_MS = 30_000
/** States that the provider changes by itself, without any action in the console. */
const CHANGING_STATES = new Set<DomainStatus['state']>([
  'pending_nameservers',
  'pending_attach',
  'provisioning',
])

/**
 * The state of the custom domain. A state that changes by itself (`CHANGING_STATES`) is polled every 30 s. These polls set `fresh`, because
 * the service may otherwise return a result that is up to a minute old.
 */
export const domainQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.domain(projectId),
    queryFn: ({ client, queryKey, signal }) => {
      const before = client.getQueryData<DomainStatus>(queryKey)
      const isMoving = before !== undefined && CHANGING_STATES.has(before.state)
      return call(
        api.getDomainStatus({ path: { projectId }, ...(isMoving && { query: { fresh: '1' } }), signal }),
      )
    },
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && CHANGING_STATES.has(state.data.state) ? CHANGING_REFETCH_MS : false,
  })

/**
 * Stores the status that a change of the domain returned. Cancels a read that began before the change, because the older status from that
 * read would replace the stored one.
 */
export async function storeDomain(client: QueryClient, projectId: string, domain: DomainStatus) {
  const { queryKey } = domainQuery(projectId)
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, domain)
}

/** Checks the domain in the cloud account now, instead of returning a result of the last minute. */
export const checkDomain = (projectId: string) =>
  call(api.getDomainStatus({ path: { projectId }, query: { fresh: '1' } }))

/** Sets the host name of the app. Its domain must be in the connected account. Throws `conflict` when another project uses the name. */
export const setDomain = (projectId: string, hostname: string) =>
  call(api.onboardDomain({ path: { projectId }, body: { hostname } }))

/** Routes the host name to the live app. Throws `conflict` when a DNS record of the name exists, which is never overwritten. */
export const attachDomain = (projectId: string) => call(api.attachDomain({ path: { projectId } }))

/** Detaches the host name and removes it from the project. The app stays reachable at its own address. */
export const removeDomain = (projectId: string) => call(api.removeDomain({ path: { projectId } }))
