import { signOut } from '../api/account/session.ts'
import { href } from '../routes.ts'
import { clearDrafts } from './drafts.ts'

/** Signs out; the page is loaded anew, so that nothing of this person stays in it. */
export async function leaveConsole(next?: string): Promise<void> {
  await signOut()
  clearDrafts()
  location.assign(href.signIn(next))
}
