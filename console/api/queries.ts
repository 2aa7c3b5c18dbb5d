import { SlipwayError } from '@slipway/sdk/errors.ts'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/**
 * The cache of everything read. Lists are fresh for 10 s; the request layer does the repeating, so nothing
 * is repeated twice.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => leaveWhenSignedOut(error, query.queryKey[0] === 'me'),
  }),
  mutationCache: new MutationCache({ onError: (error) => leaveWhenSignedOut(error, false) }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: false, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

let leave = () => {}

/** What to do when the session ends under an open page. */
export function onSignedOut(listener: () => void): void {
  leave = listener
}

/** The page's own question who is signed in is answered by the router. */
function leaveWhenSignedOut(error: unknown, isRouterAsking: boolean): void {
  if (isRouterAsking || !isSignedOut(error)) return
  queryClient.removeQueries({ queryKey: ['me'] })
  leave()
}

/** The answer said that nobody is signed in. */
export const isSignedOut = (error: unknown) => error instanceof SlipwayError && error.code === 'unauthorized'

/** What was asked for does not exist, or belongs to somebody else. */
export const isNotFound = (error: unknown) => error instanceof SlipwayError && error.code === 'not_found'
