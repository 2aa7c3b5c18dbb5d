import { SlipwayError } from '@slipway/sdk/errors.ts'
import { QueryClient } from '@tanstack/react-query'

/**
 * The cache of everything read. Lists are fresh for 10 s; the request layer does the repeating, so nothing
 * is repeated twice.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: false, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

/** The session ended: every screen that reads anything leaves for the sign-in page. */
export const isSignedOut = (error: unknown) => error instanceof SlipwayError && error.code === 'unauthorized'
