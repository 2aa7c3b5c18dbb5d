import { SlipwayError } from '@slipway/sdk/errors.ts'
import { MutationCache, QueryCache } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { RestartingClient } from './restarting-client.ts'

const FRESH_MS = 10_000

/**
 * The query cache. A result is fresh for 10 s. Queries do not retry, because the request layer does. A mount within 10 s and a window focus
 * do not refetch a query that failed with not-found: during the refetch the error would disappear from the screen.
 */
export const queryClient = new RestartingClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      // Ignore errors of `me`, which the router handles, and of the list of organizations, where a refusal concerns one organization
      // and not the session.
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
    // A write is sent at once or fails. Without a network it is not kept to be sent later.
    mutations: { retry: false, networkMode: 'always' },
  },
})

let leaveApp = () => {}
let reenterOrganization = () => {}

/** Sets what to do when there is no session (`leave`), and when the organization's policy refuses an open page (`enterAgain`). */
export function onAccessLost(listeners: { leave: () => void; enterAgain: () => void }): void {
  ;({ leave: leaveApp, enterAgain: reenterOrganization } = listeners)
}

function followRefusal(error: unknown): void {
  if (isSignedOut(error) && !hasLoadedUser()) leaveApp()
  if (!isPolicyRefusal(error)) return
  queryClient.removeQueries({ queryKey: queryKeys.me })
  reenterOrganization()
}

/** Whether the page has loaded its user; false on the sign-in pages. */
export const hasLoadedUser = () => queryClient.getQueryData(queryKeys.me) !== undefined

/** Whether the organization's policy refuses the caller, who has no second factor or no allowed IP address. */
export const isPolicyRefusal = (error: unknown): error is SlipwayError =>
  error instanceof SlipwayError && (error.code === 'two_factor_required' || error.code === 'ip_not_allowed')

export const isSignedOut = (error: unknown) => error instanceof SlipwayError && error.code === 'unauthorized'

/** Whether the requested thing does not exist, or belongs to another organization. */
export const isNotFound = (error: unknown) => error instanceof SlipwayError && error.code === 'not_found'
