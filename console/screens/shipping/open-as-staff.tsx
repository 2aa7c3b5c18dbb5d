import { SignInIcon } from '@phosphor-icons/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { openAppAsStaff } from '../../api/project/access.ts'
import { capabilitiesQuery } from '../../api/project/capabilities.ts'
import { shipText } from '../../text/shipping.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'

/** Opens the live app as a staff member; renders nothing for an app without accounts. */
export function OpenAsStaff({ projectId }: { projectId: string }) {
  const capabilities = useQuery(capabilitiesQuery(projectId))
  const enter = useMutation({
    mutationFn: () => openAppAsStaff(projectId),
    // noopener: the app's page must not get a reference to this page.
    onSuccess: ({ url }) => void window.open(url, '_blank', 'noopener'),
  })
  if (capabilities.data?.some(({ key, enabled }) => key === 'auth' && enabled) !== true) return null
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="sm" icon={<SignInIcon />} loading={enter.isPending} onClick={() => enter.mutate()}>
          {shipText.staff.open}
        </Button>
        <p className="text-[13px] text-kumo-subtle">{shipText.staff.hint}</p>
      </div>
      {enter.isError && <FailureNote title={shipText.staff.failed} error={enter.error} takeFocus />}
    </div>
  )
}
