import { CheckIcon } from '@phosphor-icons/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lastOrganizations } from '../../api/account/last-organization.ts'
import { type Organization, organizationRoleQuery } from '../../api/organization/organizations.ts'
import { organizationsText as words } from '../../text/organizations.en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { ProjectTile } from '../../ui/page/project-tile.tsx'
import { FIELD_STYLE } from '../../ui/controls/text-field.tsx'
import { findOrganizations, orderOrganizations, SEARCH_SHOWN_FROM } from './order.ts'
import { switchOrganization } from './switch-organization.ts'
import { entryOf } from '../../lib/fields.ts'

/** A list of organizations to switch to, those used recently first. A long list has a search field. */
export function OrganizationList(props: {
  userId: string
  organizations: Organization[]
  current: string | null
  /** The path to open in the chosen organization. */
  path: string
}) {
  const [q, setQ] = useState('')
  const switching = useMutation({ mutationFn: (id: string) => switchOrganization(id, props.path) })
  const ordered = orderOrganizations(props.organizations, lastOrganizations(props.userId))
  const shown = findOrganizations(ordered, q)
  const isLong = ordered.length >= SEARCH_SHOWN_FROM
  return (
    <div className="space-y-2">
      {isLong && (
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={q}
          onChange={(event) => setQ(event.target.value)}
          className={`${FIELD_STYLE} h-9 ring-kumo-line`}
        />
      )}
      {shown.length === 0 && <p className="px-2 py-3 text-kumo-subtle break-words">{words.noMatch(q)}</p>}
      <ul aria-label={words.list} className="max-h-80 space-y-0.5 overflow-y-auto p-0.5 empty:hidden">
        {shown.map((organization) => (
          <li key={organization.id}>
            <OrganizationChoice
              organization={organization}
              isCurrent={organization.id === props.current}
              // Show roles only in a short list, because each role needs a separate request.
              isThere={shown.length < SEARCH_SHOWN_FROM}
              isBusy={switching.isPending}
              onChoose={() => switching.mutate(organization.id)}
            />
          </li>
        ))}
      </ul>
      {switching.isError && <FailureNote title={words.switchFailed} error={switching.error} takeFocus />}
    </div>
  )
}

function OrganizationChoice(props: {
  organization: Organization
  isCurrent: boolean
  isThere: boolean
  isBusy: boolean
  onChoose: () => void
}) {
  const { id, name } = props.organization
  const role = useQuery({ ...organizationRoleQuery(id), enabled: props.isThere }).data?.role
  return (
    <button
      type="button"
      disabled={props.isBusy}
      onClick={props.onChoose}
      {...(props.isCurrent && { 'aria-current': 'true' as const })}
      className="flex min-h-11 w-full cursor-pointer items-center gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-kumo-tint"
    >
      <ProjectTile id={id} name={name} size="sm" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium text-kumo-strong">{name}</span>
        {role && <span className="block text-xs text-kumo-subtle">{entryOf(words.roles, role) ?? role}</span>}
      </span>
      {props.isCurrent && (
        <CheckIcon weight="bold" className="size-4 shrink-0 text-tide" aria-label={words.current} />
      )}
    </button>
  )
}
