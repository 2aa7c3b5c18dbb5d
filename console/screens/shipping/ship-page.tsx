import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { deploymentQuery } from '../../api/project/deployments.ts'
import { projectQuery } from '../../api/project/projects.ts'
import { shipText } from '../../text/shipping.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { Deployments } from '../deployments/deployments.tsx'
import { ChecksPanel } from './checks-panel.tsx'
import { LiveCard } from './live-card.tsx'

/** The live app, the conditions of the next ship, and the project's resources in the account. */
export function ShipPage() {
  const { projectId } = useParams({ from: '/app/projects/$projectId/ship' })
  const project = useQuery(projectQuery(projectId)).data
  const deployment = useQuery(deploymentQuery(projectId))
  return (
    <SectionPage projectId={projectId} title={shipText.title} lead={shipText.lead}>
      <LoadFailure query={deployment} />
      {project && deployment.data ? (
        <div className="space-y-4">
          <LiveCard project={project} deployment={deployment.data} />
          <ChecksPanel projectId={projectId} deployment={deployment.data} />
          <Deployments project={project} deployment={deployment.data} />
        </div>
      ) : (
        !deployment.isError && <ShipSkeleton />
      )}
    </SectionPage>
  )
}

function ShipSkeleton() {
  return (
    <Skeleton>
      <div className="space-y-4">
        {[1, 2, 3].map((row) => (
          <div key={row} className="space-y-3 rounded-xl bg-kumo-base p-5 ring-1 ring-kumo-line">
            <Bar className="w-1/4" />
            <Bar className="w-2/3" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
