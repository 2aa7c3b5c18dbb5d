import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { isSignedOut, queryClient } from '../api/request/query-client.ts'
import { hasSession, meQuery } from '../api/account/session.ts'
import { rememberSignedIn, wasSignedIn } from '../api/account/signed-in-before.ts'
import { href, safeReturnPath } from '../routes.ts'
import { BrokenPage } from '../screens/gates/broken-page.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { firstScreen } from './screen.ts'

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: BrokenPage,
})

/** Redirects to the sign-in page when there is no session. The sign-in page's URL contains the current URL, to which the user returns. */
export async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  const isHere = queryClient.getQueryData(meQuery().queryKey) !== undefined
  if (!isHere && !(await isSignedIn())) throw redirect({ href: href.signIn(safeReturnPath(location.href)) })
}

async function isSignedIn(): Promise<boolean> {
  try {
    if (!wasSignedIn() && !(await hasSession())) return false
    await queryClient.ensureQueryData(meQuery())
    rememberSignedIn(true)
    return true
  } catch (error) {
    if (!isSignedOut(error)) throw error
    rememberSignedIn(false)
    return false
  }
}

const layout = firstScreen(() => import('../shell/app-shell.tsx'), 'AppShell')

export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: (where) => {
    // Load the code of the layout in parallel with the request for the user.
    void layout.preload?.()
    return requireSession(where)
  },
  component: layout,
})
