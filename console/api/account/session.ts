import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { authPost, authSend } from '../request/auth-request.ts'
import { queryClient } from '../request/query-client.ts'
import { rememberSignedIn } from './signed-in-before.ts'

/** Who is signed in. */
export const meQuery = () =>
  queryOptions({
    queryKey: queryKeys.me,
    queryFn: async ({ signal }) => (await import('./read-me.ts')).readMe(signal),
    staleTime: 60_000,
  })

/** Whether this browser has a session. Asks the sign-in library, which has no refusal for a visitor. */
export const hasSession = async () => (await authSend('GET', '/get-session?disableCookieCache=true')) !== null

/** Makes an account; `token` is null while its e-mail address must be verified first. */
export const signUp = (input: { name: string; email: string; password: string }) =>
  authPost<{ token: string | null }>('/sign-up/email', input)

/** The first step of signing in; an account with a second factor is not in yet. */
export const signIn = (input: { email: string; password: string }) =>
  authPost<{ twoFactorRedirect?: true }>('/sign-in/email', input)

/** Ends the session; nothing of it stays in the cache. */
export async function signOut(): Promise<void> {
  await authPost('/sign-out')
  rememberSignedIn(false)
  queryClient.clear()
}
