import type { DeployState, Project } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { capabilitiesQuery } from '../../api/project/capabilities.ts'
import { deploymentQuery } from '../../api/project/deployments.ts'
import { projectQuery } from '../../api/project/projects.ts'
import { useFirstRead } from '../../lib/first-read.ts'
import { shipText } from '../../text/shipping.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { Deployments } from '../deployments/deployments.tsx'
import { useVersionTitle } from '../versions/use-version-title.ts'
import { ChecksPanel, useChecks } from './checks-panel.tsx'
import { LiveCard } from './live-card.tsx'

export function ShipPage() {
  const { projectId } = useParams({ from: '/app/projects/$projectId/ship' })
  const project = useQuery(projectQuery(projectId)).data
  const deployment = useQuery(deploymentQuery(projectId))
  const isCardLoading = useCardIsLoading(projectId, deployment.data)
  const isFirstRead = useFirstRead(projectId, isCardLoading || deployment.data === undefined)
  return (
    <SectionPage projectId={projectId} title={shipText.title} lead={shipText.lead}>
      <LoadFailure query={deployment} />
      {project && deployment.data && !isFirstRead ? (
        <div className="space-y-4">
          <LiveCard project={project} deployment={deployment.data} />
          <NextShip project={project} deployment={deployment.data} />
        </div>
      ) : (
        !deployment.isError && <PanelSkeletons count={3} />
      )}
    </SectionPage>
  )
}

/**
 * Whether a part of the live card is still loading. The page waits for all parts, because a part that appears later would move what is
 * below the card.
 */
function useCardIsLoading(projectId: string, deployment: DeployState | undefined): boolean {
  const capabilities = useQuery(capabilitiesQuery(projectId))
  const built = useVersionTitle(projectId, deployment?.builtSha ?? null)
  const live = useVersionTitle(projectId, deployment?.sha ?? null)
  return [capabilities, built, live].some(({ isLoading }) => isLoading)
}

/** The conditions for the next deployment, once they are loaded, followed by the past deployments. */
function NextShip({ project, deployment }: { project: Project; deployment: DeployState }) {
  const { isLoading, ...conditions } = useChecks(project.id, deployment)
  if (useFirstRead(project.id, isLoading)) return <PanelSkeletons count={2} />
  return (
    <>
      <ChecksPanel {...conditions} />
      <Deployments project={project} deployment={deployment} />
    </>
  )
}

function PanelSkeletons({ count }: { count: number }) {
  return (
    <Skeleton>
      <div className="space-y-4">
        {Array.from({ length: count }, (_, row) => (
          <div key={row} className="space-y-3 rounded-xl bg-kumo-base p-5 ring-1 ring-kumo-line">
            <Bar className="w-1/4" />
            <Bar className="w-2/3" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
