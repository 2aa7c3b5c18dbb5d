import { SlipwayError } from '@slipway/sdk/errors.ts'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'

const FRESH_MS = 10_000

/**
 * The cache of everything read. Lists are fresh for 10 s; the request layer does the repeating, so nothing
 * is repeated twice. Asking again for what has never been read takes its refusal off the screen, so that something
 * does not exist is as fresh as a list when one more part of a page needs it, and coming back to the window does not
 * ask for it.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      // The router answers for who is signed in, and other organizations have policies of their own.
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
    // A write is sent at once or fails: never later, when the network is back.
    mutations: { retry: false, networkMode: 'always' },
  },
})

let leave = () => {}
let enterAgain = () => {}

/** Sets what happens when the session is missing, and when the organization's policy refuses an open page. */
export function onShutOut(listeners: { leave: () => void; enterAgain: () => void }): void {
  ;({ leave, enterAgain } = listeners)
}

function followRefusal(error: unknown): void {
  if (isSignedOut(error) && !isSomebodyHere()) leave()
  if (!isClosed(error)) return
  queryClient.removeQueries({ queryKey: queryKeys.me })
  enterAgain()
}

/** Whether this page knows who is at it; at the sign-in it does not. */
export const isSomebodyHere = () => queryClient.getQueryData(queryKeys.me) !== undefined

/** Whether the organization's policy refuses the caller: no second factor, or an address that is not allowed. */
export const isClosed = (error: unknown): error is SlipwayError =>
  error instanceof SlipwayError && (error.code === 'two_factor_required' || error.code === 'ip_not_allowed')

/** Whether the service refused a call because it had no session. */
export const isSignedOut = (error: unknown) => error instanceof SlipwayError && error.code === 'unauthorized'

/** Whether what was requested does not exist, or belongs to another organization. */
export const isNotFound = (error: unknown) => error instanceof SlipwayError && error.code === 'not_found'
