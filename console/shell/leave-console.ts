import { signOut } from '../api/account/session.ts'
import { href } from '../routes.ts'
import { clearDrafts } from './drafts.ts'

/** Signs out and reloads the page, so that nothing of this user stays in memory. */
export async function leaveConsole(next?: string): Promise<void> {
  await signOut()
  clearDrafts()
  location.assign(href.signIn(next))
}
