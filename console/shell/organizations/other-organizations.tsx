import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { accountQuery } from '../../api/account/auth.ts'
import { organizationsQuery } from '../../api/organization/organizations.ts'
import { OrganizationList } from './organization-list.tsx'
import { currentPath } from './switch-organization.ts'

/** Lists the user's other organizations when the current one refuses the session. Choosing an organization opens the same URL in it. */
export function OtherOrganizations(props: { title: string; hint?: string }) {
  const id = useId()
  const all = useQuery(organizationsQuery()).data ?? []
  const account = useQuery(accountQuery()).data
  const others = all.filter((organization) => organization.id !== account?.session.activeOrganizationId)
  if (!account || others.length === 0) return null
  return (
    <section aria-labelledby={id} className="space-y-1.5 text-left">
      <h2 id={id} className="text-[15px] font-semibold text-kumo-strong">
        {props.title}
      </h2>
      {props.hint && <p className="text-[13px] text-kumo-subtle">{props.hint}</p>}
      <OrganizationList userId={account.user.id} organizations={others} current={null} path={currentPath()} />
    </section>
  )
}
