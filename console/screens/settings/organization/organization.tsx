import { useQuery } from '@tanstack/react-query'
import { organizationsQuery } from '../../../api/organization/organizations.ts'
import { meQuery } from '../../../api/account/session.ts'
import { organizationsText } from '../../../text/organizations.en.ts'
import { LoadFailure } from '../../../ui/page/failure.tsx'
import { CardSkeleton } from '../card-list.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { ExportOrganization } from './export-organization.tsx'
import { LeaveOrganization } from './leave-organization.tsx'
import { OrganizationForm } from './organization-form.tsx'

const organizationSettingsText = organizationsText.settings

export function OrganizationSettings() {
  const organizations = useQuery(organizationsQuery())
  const me = useQuery(meQuery()).data
  const organization = organizations.data?.find(({ id }) => id === me?.organization.id)
  return (
    <>
      <SettingsHeader title={organizationSettingsText.title} lead={organizationSettingsText.lead} />
      {organizations.isPending && <CardSkeleton />}
      <LoadFailure query={organizations} />
      {organization && me && (
        <div className="space-y-10">
          <OrganizationForm
            key={organization.id}
            organization={organization}
            reason={me.role === 'member' ? organizationSettingsText.adminsOnly : null}
          />
          <ExportOrganization organization={organization} isAllowed={me.role !== 'member'} />
          <LeaveOrganization organization={organization} role={me.role ?? 'member'} />
        </div>
      )}
    </>
  )
}
