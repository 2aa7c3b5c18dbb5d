import { meQuery, signOut } from '../api/account/session.ts'
import { queryClient } from '../api/request/query-client.ts'
import { href } from '../routes.ts'
import { notifyFailure } from './toasts/toasts.ts'

/** Signs out and loads the sign-in page, so that nothing of this user stays in memory. Shows the reason when the sign-out fails. */
export async function leaveConsole(next?: string): Promise<void> {
  try {
    // Load `clearDrafts` before the sign-out. If loading it failed afterwards, the drafts of the user would stay in the browser.
    const { clearDrafts } = await import('./clear-drafts.ts')
    // Read the user before the sign-out, which clears the cache.
    const userId = queryClient.getQueryData(meQuery().queryKey)?.user?.id
    await signOut()
    clearDrafts(userId)
    location.assign(href.signIn(next))
  } catch (error) {
    notifyFailure(error)
  }
}
