import type { AccountDeletion } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../../routes.ts'
import { deletionText as words } from '../../../text/deletion.en.ts'
import { Box } from '../section.tsx'

const ACTION_COLOURS = {
  delete: 'bg-kumo-danger-tint text-removed',
  leave: 'bg-kumo-tint text-kumo-default',
  blocked: 'bg-kumo-warning-tint text-kumo-strong',
}

export function PlannedOrganizations({ plan }: { plan: AccountDeletion }) {
  return (
    <section aria-labelledby="goes" className="space-y-3">
      <h2 id="goes" className="text-[15px] font-semibold text-kumo-strong">
        {words.goes}
      </h2>
      {plan.organizations.length === 0 && <p className="text-kumo-subtle">{words.none}</p>}
      {plan.organizations.length > 0 && (
        <Box>
          <ul className="divide-y divide-kumo-hairline">
            {plan.organizations.map((organization) => (
              <OrganizationPlan
                key={organization.id}
                organization={organization}
                projects={plan.projects.filter(({ organizationId }) => organizationId === organization.id)}
              />
            ))}
          </ul>
        </Box>
      )}
    </section>
  )
}

function OrganizationPlan(props: {
  organization: AccountDeletion['organizations'][number]
  projects: AccountDeletion['projects']
}) {
  const { organization, projects } = props
  const { name, disposition, projectsLeft, cloudConnected } = organization
  const { label, hint } = words.dispositions[disposition]
  return (
    <li className="space-y-1.5 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 font-medium break-words text-kumo-strong">{name}</h3>
        <span className={`rounded-full px-2 py-0.5 text-xs font-medium ${ACTION_COLOURS[disposition]}`}>
          {label}
        </span>
      </div>
      <p className="text-[13px] text-pretty text-kumo-subtle">{hint(projectsLeft)}</p>
      {disposition === 'blocked' && (
        <a href={href.members()} className="text-[13px] text-kumo-link underline underline-offset-3">
          {words.members}
        </a>
      )}
      {projectsLeft > 0 && !cloudConnected && <p className="text-[13px] text-removed">{words.noCloud}</p>}
      {projects.length > 0 && (
        <details className="text-[13px]">
          <summary className="w-fit cursor-pointer text-kumo-default">{words.next}</summary>
          <ul className="mt-1 space-y-1 pl-4 text-kumo-subtle">
            {projects.map((project) => (
              <li key={project.id} className="break-words">
                <span className="text-kumo-default">{project.name}</span>:{' '}
                {project.resources.map((resource) => resource.name).join(', ') || words.nothingThere}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
