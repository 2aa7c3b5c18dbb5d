import { RocketLaunchIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { deploymentQuery } from '../../api/project/deployments.ts'
import type { DeployState as Deployment, Project } from '@slipway/sdk/client/types.gen.ts'
import { shipText } from '../../text/shipping.en.ts'
import { workText } from '../../text/workspace.en.ts'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'
import { isBuilding } from '../../state/builds/build-follower.ts'
import { useBuildPart } from '../../state/builds/use-build.ts'
import { isUpToDate } from './up-to-date.ts'

const ShipDialog = lazy(() => import('./ship-dialog.tsx').then((module) => ({ default: module.ShipDialog })))

/**
 * Opens the ship dialog, or says why nothing can be deployed. The live version can be deployed again, because
 * changes under Capabilities take effect only with a deployment.
 */
export function ShipButton({
  project,
  ticketId,
  long = false,
}: {
  project: Project
  ticketId: string | null
  long?: boolean
}) {
  const [open, setOpen] = useState(false)
  const deployment = useQuery(deploymentQuery(project.id)).data
  const building = useBuildPart(ticketId, isBuilding)
  const isSame = isUpToDate(deployment)
  return (
    <>
      <ReasonButton
        variant={isSame ? 'secondary' : 'primary'}
        icon={<RocketLaunchIcon weight="fill" />}
        reason={whyNotShip(deployment, building)}
        onClick={() => setOpen(true)}
      >
        {isSame && long ? workText.ship.again : long ? workText.ship.project : workText.ship.action}
      </ReasonButton>
      {open && deployment && (
        <Suspense fallback={null}>
          <ShipDialog project={project} deployment={deployment} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function whyNotShip(deployment: Deployment | undefined, building: boolean): string | null {
  if (building) return workText.ship.why.running
  if (deployment?.state === 'archived') return shipText.checks.archived
  return deployment?.builtSha ? null : workText.ship.why.nothing
}
