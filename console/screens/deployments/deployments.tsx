import type { DeployState, Project } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { deploymentsQuery } from '../../api/project/deployments.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { DeleteProject } from './delete-project.tsx'
import { ManagedPanel } from './managed-panel.tsx'
import { ReleasesPanel } from './releases-panel.tsx'

export function Deployments({ project, deployment }: { project: Project; deployment: DeployState }) {
  const deployments = useQuery(deploymentsQuery(project.id))
  const { data } = deployments
  return (
    <>
      <LoadFailure query={deployments} />
      {deployments.isPending && (
        <Skeleton>
          <Bar className="h-24! rounded-xl!" />
        </Skeleton>
      )}
      {data && <ReleasesPanel projectId={project.id} deployment={deployment} deployments={data} />}
      {data && <ManagedPanel projectId={project.id} managed={data.managed} />}
      {/* Rendered after the panels above have loaded, because they would move it. */}
      {!deployments.isPending && <DeleteProject project={project} />}
    </>
  )
}
