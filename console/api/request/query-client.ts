import { SlipwayError } from '@slipway/sdk/errors.ts'
import { MutationCache, QueryCache } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { RestartingClient } from './restarting-client.ts'

const FRESH_MS = 10_000

/**
 * The query cache. Lists are fresh for 10 s. The request layer retries, so queries do not. Refetching a query
 * that failed removes its error from the screen while it runs. So a not-found error is fresh for 10 s as
 * well, and a window focus does not refetch it.
 */
export const queryClient = new RestartingClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      // The router handles a missing session, and other organizations have their own policies.
      if (queryKey[0] !== queryKeys.me[0] && queryKey[0] !== queryKeys.organizations.all[0])
        followRefusal(error)
    },
  }),
  mutationCache: new MutationCache({ onError: followRefusal }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: false,
      retryOnMount: ({ state }) => !isNotFound(state.error) || Date.now() - state.errorUpdatedAt > FRESH_MS,
      refetchOnWindowFocus: ({ state }) => !isNotFound(state.error),
    },
    // A write is sent at once or fails. It never waits until the network is back.
    mutations: { retry: false, networkMode: 'always' },
  },
})

let leave = () => {}
let enterAgain = () => {}

/**
 * Sets what happens when there is no session (`leave`) and when the organization's policy refuses an open
 * page (`enterAgain`).
 */
export function onAccessLost(listeners: { leave: () => void; enterAgain: () => void }): void {
  ;({ leave, enterAgain } = listeners)
}

function followRefusal(error: unknown): void {
  if (isSignedOut(error) && !hasLoadedUser()) leave()
  if (!isClosed(error)) return
  queryClient.removeQueries({ queryKey: queryKeys.me })
  enterAgain()
}

/** Whether the page has loaded its user; false on the sign-in pages. */
export const hasLoadedUser = () => queryClient.getQueryData(queryKeys.me) !== undefined

/** Whether the organization's policy refuses the caller: no second factor, or an address that is not allowed. */
export const isClosed = (error: unknown): error is SlipwayError =>
  error instanceof SlipwayError && (error.code === 'two_factor_required' || error.code === 'ip_not_allowed')

export const isSignedOut = (error: unknown) => error instanceof SlipwayError && error.code === 'unauthorized'

/** Whether what was requested does not exist, or belongs to another organization. */
export const isNotFound = (error: unknown) => error instanceof SlipwayError && error.code === 'not_found'
