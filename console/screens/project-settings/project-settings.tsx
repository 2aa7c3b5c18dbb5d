import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { modelConnectionsQuery } from '../../api/organization/connections.ts'
import { accessQuery } from '../../api/project/access.ts'
import { projectModelQuery } from '../../api/project/project-model.ts'
import { projectQuery } from '../../api/project/projects.ts'
import { packagesQuery } from '../../api/project/versions.ts'
import { useFirstRead } from '../../lib/first-read.ts'
import { href } from '../../routes.ts'
import { projectSettingsText as words } from '../../text/project-settings.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { ModelPicker } from '../builds/model/model-picker.tsx'
import { DeleteProject } from '../deployments/delete-project.tsx'
import { ArchiveButton, UnarchiveButton } from '../shipping/archive-button.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { AccessCode } from './access-code.tsx'
import { Packages } from './packages.tsx'
import { ProjectField } from './project-field.tsx'

export function ProjectSettings() {
  const { projectId } = useParams({ from: '/app/projects/$projectId/settings' })
  const project = useQuery(projectQuery(projectId))
  // Show all panels at once, because a panel that is added later would move the panels below it.
  const isFirstRead = useFirstRead(projectId, useArePanelsLoading(projectId) || project.isPending)
  return (
    <SectionPage projectId={projectId} title={words.title} lead={words.lead}>
      <LoadFailure query={project} />
      {isFirstRead && (
        <Skeleton>
          <Bar className="h-40! rounded-xl!" />
        </Skeleton>
      )}
      {project.data && !isFirstRead && (
        <div className="space-y-4">
          <GeneralPanel project={project.data} />
          <AccessCode projectId={projectId} />
          <Panel
            title={words.model}
            hint={words.modelHint}
            action={<ModelPicker projectId={projectId} showsName />}
          />
          <Packages projectId={projectId} />
          <ArchivePanel project={project.data} />
          <DeleteProject project={project.data} />
        </div>
      )}
    </SectionPage>
  )
}

function useArePanelsLoading(projectId: string): boolean {
  const access = useQuery(accessQuery(projectId))
  const model = useQuery(projectModelQuery(projectId))
  const models = useQuery(modelConnectionsQuery())
  const packages = useQuery(packagesQuery(projectId))
  return [access, model, models, packages].some((read) => read.isLoading)
}

function GeneralPanel({ project }: { project: Project }) {
  return (
    <Panel title={words.general}>
      <div className="space-y-5">
        <ProjectField
          project={project}
          field="name"
          label={words.name}
          description={words.nameHint}
          missing={words.nameMissing}
          maxLength={80}
        />
        <ProjectField
          project={project}
          field="slug"
          label={words.slug}
          description={project.slugLocked ? words.slugLocked : words.slugHint}
          missing={words.slugMissing}
          maxLength={50}
          isLocked={project.slugLocked}
          autoCapitalize="none"
          spellCheck={false}
        />
        {project.slugLocked && (
          <a
            href={href.domain(project.id)}
            className="inline-block rounded-sm text-[13px] leading-6 text-kumo-link hover:underline"
          >
            {words.goDomain}
          </a>
        )}
      </div>
    </Panel>
  )
}

function ArchivePanel({ project }: { project: Project }) {
  const isArchived = project.lifecycle === 'archived'
  return (
    <Panel
      title={isArchived ? words.archived : words.archive}
      hint={isArchived ? words.archivedHint : words.archiveHint}
      action={isArchived ? <UnarchiveButton project={project} /> : <ArchiveButton project={project} />}
    />
  )
}
