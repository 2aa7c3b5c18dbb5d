import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Link, usePath } from '../../web/navigation.tsx'
import type { AccountComponents } from '../../web/people.ts'
import { Account, ACCOUNT_PATH } from './account.tsx'
import { RESET_PATH, ResetPassword } from './reset-password.tsx'
import { SIGN_IN_PATH, SignIn } from './sign-in.tsx'
import { useUser } from './use-user.ts'

/** Shows a visitor the sign-in form instead of the page. */
function Gate({ access, children }: { access: 'members' | 'staff'; children: ReactNode }) {
  const user = useUser()
  if (user === undefined) return <Skeleton />
  if (user === null) return <SignIn />
  if (access === 'staff' && user.role !== 'staff')
    return (
      <EmptyState title="This page is for staff">
        Ask the people who run this app, if you should see it.
      </EmptyState>
    )
  return children
}

function Menu() {
  const user = useUser()
  const path = usePath()
  if (user === undefined) return null
  const to = user === null ? SIGN_IN_PATH : ACCOUNT_PATH
  return (
    <Link to={to} className="shell-person" aria-current={path === to ? 'page' : undefined}>
      {user === null ? 'Sign in' : user.name}
    </Link>
  )
}

function OwnAccount() {
  const user = useUser()
  if (user === undefined) return <Skeleton />
  return user === null ? <SignIn /> : <Account key={user.id} user={user} />
}

/** The sign-in pages of every app with accounts. The platform provides them, so the app needs no code for them. */
export const people: AccountComponents = {
  Gate,
  Menu,
  pages: { [SIGN_IN_PATH]: SignIn, [ACCOUNT_PATH]: OwnAccount, [RESET_PATH]: ResetPassword },
}
