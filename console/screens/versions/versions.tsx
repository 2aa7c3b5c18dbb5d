import { LinkButton } from '@cloudflare/kumo/components/button'
import { GitCommitIcon } from '@phosphor-icons/react'
import type { Project, Version } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { deploymentQuery } from '../../api/project/deployments.ts'
import { projectQuery } from '../../api/project/projects.ts'
import { queueQuery } from '../../api/project/queue.ts'
import { versionsQuery } from '../../api/project/versions.ts'
import { href } from '../../routes.ts'
import { versionsText as words } from '../../text/code.en.ts'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { WindowedList } from '../../ui/lists/windowed-list.tsx'
import { BackupCard } from './backup-card.tsx'
import { VersionPage } from './version-page.tsx'
import { VersionRow } from './version-row.tsx'

const ROUTE_ID = '/app/projects/$projectId/versions'
const ROW_PX = 68

export function Versions() {
  const { projectId } = useParams({ from: ROUTE_ID })
  const { sha, base } = useSearch({ from: ROUTE_ID })
  return sha === undefined ? (
    <AllVersions projectId={projectId} />
  ) : (
    <VersionPage key={sha} projectId={projectId} sha={sha} base={base} />
  )
}

function AllVersions({ projectId }: { projectId: string }) {
  const project = useQuery(projectQuery(projectId)).data
  const versions = useQuery(versionsQuery(projectId))
  const { data } = versions
  return (
    <SectionPage projectId={projectId} title={words.title} lead={words.lead}>
      <LoadFailure query={versions} />
      {versions.isPending && <VersionsSkeleton />}
      {project && data && (
        <div className="space-y-4">
          {data.length === 0 ? (
            <NoVersion projectId={projectId} />
          ) : (
            <VersionList project={project} versions={data} />
          )}
          <BackupCard project={project} versions={data} />
        </div>
      )}
    </SectionPage>
  )
}

function NoVersion({ projectId }: { projectId: string }) {
  const queue = useQuery(queueQuery(projectId)).data
  const isBuilding = queue?.running != null
  // Polls while the first build runs, so that its version appears without a reload.
  useQuery({ ...versionsQuery(projectId), refetchInterval: isBuilding ? 3_000 : false })
  return (
    <div className="flex rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      <EmptyNote
        icon={<GitCommitIcon />}
        title={isBuilding ? words.building : words.empty}
        hint={isBuilding ? words.buildingHint : words.emptyHint}
        action={
          <LinkButton variant="primary" href={href.project(projectId, { pane: 'tickets' })}>
            {words.goBuild}
          </LinkButton>
        }
      />
    </div>
  )
}

function VersionsSkeleton() {
  return (
    <Skeleton>
      <div className="divide-y divide-kumo-line rounded-xl bg-kumo-base ring-1 ring-kumo-line">
        {['w-1/2', 'w-2/5', 'w-3/5'].map((width) => (
          <div key={width} className="space-y-2 p-4">
            <Bar className={width} />
            <Bar className="w-1/4" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}

/** All versions, newest first; only visible rows are rendered. */
function VersionList({ project, versions }: { project: Project; versions: Version[] }) {
  const live = useQuery(deploymentQuery(project.id)).data?.sha ?? null
  const newest = (versions.find((version) => version.current) ?? versions[0])?.sha ?? ''
  return (
    <WindowedList
      isOrdered
      label={words.list}
      items={versions}
      rowPx={ROW_PX}
      keyOf={({ sha }) => sha}
      rowClassName="flex items-start gap-3 px-4 py-3 hover:bg-kumo-elevated"
    >
      {(version) => (
        <VersionRow project={project} version={version} newest={newest} isLive={version.sha === live} />
      )}
    </WindowedList>
  )
}
