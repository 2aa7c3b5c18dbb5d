import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { authPost, authSend } from '../request/auth-request.ts'
import { queryClient } from '../request/query-client.ts'
import { rememberSignedIn } from './signed-in-before.ts'

/** The caller with the current organization. Most pages read it, so it is fresh for a minute; what changes the user invalidates it. */
export const meQuery = () =>
  queryOptions({
    queryKey: queryKeys.me,
    queryFn: async ({ signal }) => (await import('./read-me.ts')).readMe(signal),
    staleTime: 60_000,
  })

/** Whether this browser has a session. Asks the sign-in library, which returns 200 with and without a session. */
export const hasSession = async () => (await authSend('GET', '/get-session?disableCookieCache=true')) !== null

/** Creates an account. `token` is null when the e-mail address must be verified first. */
export const signUp = (input: { name: string; email: string; password: string }) =>
  authPost<{ token: string | null }>('/sign-up/email', input)

/** Signs in. For an account with a second factor it returns `twoFactorRedirect`, and the session starts when a code is verified. */
export const signIn = (input: { email: string; password: string }) =>
  authPost<{ twoFactorRedirect?: true }>('/sign-in/email', input)

/**
 * Ends the session and empties the query cache, so that the next user of this page sees no data of the previous one. Throws when the
 * request fails.
 */
export async function signOut(): Promise<void> {
  await authPost('/sign-out')
  rememberSignedIn(false)
  queryClient.clear()
}
