import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { leaveOrganization, type Organization } from '../../../api/organization/organizations.ts'
import { rewordError } from '../../../api/request/reword-error.ts'
import { href } from '../../../routes.ts'
import { organizationsText } from '../../../text/organizations.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { entryOf } from '../../../lib/fields.ts'

const organizationSettingsText = organizationsText.settings
const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

export function LeaveOrganization(props: { organization: Organization; role: string }) {
  const { organization, role } = props
  const [isAsking, setAsking] = useState(false)
  const leave = useMutation({
    mutationFn: () => leaveOrganization(organization.id),
    // The session has no organization now. The home page selects the oldest organization, or says that there is none.
    onSuccess: () => location.assign(href.home()),
  })
  return (
    <section aria-labelledby="leave" className="max-w-lg space-y-3 border-t border-kumo-line pt-6">
      <div className="space-y-1">
        <h2 id="leave" className="text-[15px] font-semibold text-kumo-strong">
          {organizationSettingsText.leaveTitle}
        </h2>
        <p className="text-kumo-subtle">
          {organizationSettingsText.leaveHint(entryOf(organizationsText.roles, role) ?? role)}
        </p>
      </div>
      <Button variant="secondary-destructive" onClick={() => setAsking(true)}>
        {organizationSettingsText.leave}
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <Confirm
            title={organizationSettingsText.leaveConfirm(organization.name)}
            consequence={organizationSettingsText.leaveConsequence}
            submit={organizationSettingsText.leaveSubmit}
            typed={organization.name}
            busy={leave.isPending || leave.isSuccess}
            error={rewordError(leave.error, ERROR_SENTENCES)}
            onConfirm={() => leave.mutate()}
            onClose={() => {
              setAsking(false)
              leave.reset()
            }}
          />
        </Suspense>
      )}
    </section>
  )
}

const ERROR_SENTENCES = {
  you_cannot_leave_the_organization_as_the_only_owner: organizationSettingsText.onlyOwner,
}
