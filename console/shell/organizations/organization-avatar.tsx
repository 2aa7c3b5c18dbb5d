import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { ProjectTile } from '../../ui/page/project-tile.tsx'

interface OrganizationAvatarProps {
  organization: Me['organization']
  folded: boolean
}

/** The classes of the organization's row, shared with the menu that replaces it, so that nothing moves. */
export const organizationRow = (folded: boolean) =>
  `flex min-h-9 min-w-0 items-center gap-2.5 ${folded ? 'justify-center' : 'px-1.5'}`

/** The tile of the organization, beside its name while the navigation is unfolded. */
export function OrganizationAvatar({ organization, folded }: OrganizationAvatarProps) {
  return (
    <>
      <ProjectTile id={organization.id} name={organization.name} size="sm" />
      {!folded && (
        <span className="min-w-0 flex-1 truncate text-[13px] font-medium text-kumo-default">
          {organization.name}
        </span>
      )}
    </>
  )
}

/** The organization without a menu, for a user who has only one. */
export function OrganizationLabel(props: OrganizationAvatarProps) {
  return (
    <p className={organizationRow(props.folded)}>
      <OrganizationAvatar {...props} />
    </p>
  )
}
