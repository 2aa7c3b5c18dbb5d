import { Popover } from '@cloudflare/kumo/primitives/popover'
import { CaretUpDownIcon, XIcon } from '@phosphor-icons/react'
import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { organizationsQuery } from '../../api/organization/organizations.ts'
import { text } from '../../text/en.ts'
import { organizationsText as words } from '../../text/organizations.en.ts'
import { OrganizationAvatar, OrganizationLabel, organizationRow } from './organization-avatar.tsx'

const NewOrganizationDialog = lazy(() =>
  import('./new-organization-dialog.tsx').then((module) => ({ default: module.NewOrganizationDialog })),
)

const SwitcherChoices = lazy(() =>
  import('./switcher-choices.tsx').then((module) => ({ default: module.SwitcherChoices })),
)

/** The current organization, with a menu to switch when the user has several. */
export function OrganizationSwitcher({ me, folded }: { me: Me; folded: boolean }) {
  const organizations = useQuery(organizationsQuery()).data ?? []
  const [isOpen, setOpen] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const { organization, user } = me
  if (organizations.length < 2 || !user)
    return <OrganizationLabel organization={organization} folded={folded} />
  return (
    <>
      <Popover.Root open={isOpen} onOpenChange={setOpen} modal>
        <Popover.Trigger
          className={`${organizationRow(folded)} w-full cursor-pointer rounded-lg text-left hover:bg-kumo-tint`}
        >
          <span className="sr-only">{words.switcher(folded ? organization.name : '')}</span>
          <OrganizationAvatar organization={organization} folded={folded} />
          {!folded && <CaretUpDownIcon className="shrink-0 text-kumo-subtle" aria-hidden="true" />}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner side="bottom" align="start" sideOffset={4} className="z-50">
            <Popover.Popup className="w-72 max-w-[calc(100vw-2rem)] rounded-xl bg-kumo-base p-1.5 shadow-lg ring-1 ring-kumo-line">
              <div className="flex items-center justify-between gap-2 pb-1 pl-2">
                <Popover.Title className="text-xs font-medium text-kumo-subtle">{words.list}</Popover.Title>
                {/* The popover keeps the focus inside only when it has a close button. */}
                <Popover.Close
                  aria-label={text.common.close}
                  className="grid size-7 cursor-pointer place-items-center rounded-md hover:bg-kumo-tint"
                >
                  <XIcon aria-hidden="true" />
                </Popover.Close>
              </div>
              <Suspense fallback={<div className="h-40" />}>
                <SwitcherChoices
                  userId={user.id}
                  organizations={organizations}
                  current={organization.id}
                  onCreate={() => {
                    setOpen(false)
                    setCreating(true)
                  }}
                />
              </Suspense>
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      {isCreating && (
        <Suspense fallback={null}>
          <NewOrganizationDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}
