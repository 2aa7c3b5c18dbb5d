import { PlusIcon } from '@phosphor-icons/react'
import type { Organization } from '../../api/organization/organizations.ts'
import { href } from '../../routes.ts'
import { organizationsText as words } from '../../text/organizations.en.ts'
import { OrganizationList } from './organization-list.tsx'
import { Button } from '../../ui/controls/button.tsx'

/** The content of the organization menu. Loaded when the menu is opened. */
export function SwitcherChoices(props: {
  userId: string
  organizations: Organization[]
  current: string
  onCreate: () => void
}) {
  const { onCreate, ...list } = props
  return (
    <>
      <OrganizationList {...list} path={href.home()} />
      <div className="mt-1.5 border-t border-kumo-line pt-1.5">
        <Button variant="ghost" className="w-full justify-start" icon={<PlusIcon />} onClick={onCreate}>
          {words.create}
        </Button>
      </div>
    </>
  )
}
