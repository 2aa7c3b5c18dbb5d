import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { organizationsQuery, ownInvitationsQuery } from '../../api/organization/organizations.ts'
import { useStore } from '../../lib/store.ts'
import { href } from '../../routes.ts'
import { deletionText } from '../../text/deletion.en.ts'
import { gatesText } from '../../text/gates.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { isAccountGone } from '../../shell/in-app-shell.ts'
import { NewOrganization } from '../../shell/organizations/new-organization.tsx'
import { OtherOrganizations } from '../../shell/organizations/other-organizations.tsx'
import { GatePage } from './gate-page.tsx'

const DeletionParts = lazy(() =>
  import('../account/deletion/deletion-parts.tsx').then((module) => ({
    default: module.DeletionParts,
  })),
)

const noOrganizationText = gatesText.nowhere

/**
 * Shown to a user who has no organization, or was removed from the organization of the session. The account
 * can be deleted here, because the account page can only be opened within an organization.
 */
export function NoOrganizationGate() {
  const others = useQuery(organizationsQuery()).data ?? []
  const isGone = useStore(isAccountGone)
  const [isDeleting, setDeleting] = useState(false)
  if (isDeleting)
    return (
      <GatePage title={deletionText.title} lead={deletionText.sectionLead}>
        <Suspense fallback={null}>
          <DeletionParts />
        </Suspense>
        {!isGone && (
          <Button variant="secondary" onClick={() => setDeleting(false)}>
            {noOrganizationText.back}
          </Button>
        )}
      </GatePage>
    )
  const hasLeft = others.length > 0
  return (
    <GatePage
      title={hasLeft ? noOrganizationText.titleLeft : noOrganizationText.title}
      lead={hasLeft ? noOrganizationText.leadLeft : noOrganizationText.lead}
    >
      <OtherOrganizations title={gatesText.switchTitle} />
      <OwnInvitations />
      <section aria-labelledby="create" className="space-y-3">
        <h2 id="create" className="text-[15px] font-semibold text-kumo-strong">
          {noOrganizationText.create}
        </h2>
        <NewOrganization />
      </section>
      <section aria-labelledby="delete" className="space-y-1.5 border-t border-kumo-line pt-4">
        <h2 id="delete" className="text-[15px] font-semibold text-kumo-strong">
          {deletionText.section}
        </h2>
        <Button variant="secondary" size="sm" onClick={() => setDeleting(true)}>
          {deletionText.open}
        </Button>
      </section>
    </GatePage>
  )
}

function OwnInvitations() {
  const { data = [], isPending } = useQuery(ownInvitationsQuery())
  if (isPending) return null
  if (data.length === 0)
    return <p className="text-kumo-subtle text-pretty">{noOrganizationText.noInvitation}</p>
  return (
    <section aria-labelledby="invited" className="space-y-2">
      <h2 id="invited" className="text-[15px] font-semibold text-kumo-strong">
        {noOrganizationText.invited}
      </h2>
      <ul className="space-y-1">
        {data.map(({ id, organizationName }) => (
          <li key={id}>
            <a
              href={href.invitation(id)}
              className="font-medium break-words text-kumo-link underline underline-offset-3"
            >
              {noOrganizationText.open(organizationName)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
